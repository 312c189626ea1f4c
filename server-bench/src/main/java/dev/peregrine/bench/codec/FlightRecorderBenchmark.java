package dev.peregrine.bench.codec;

import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.start.ServerEvents;
import dev.peregrine.server.start.ServerFacts;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Request to response without an operating system, with the events of a server: the difference of
 * {@code OFF} to {@code ABSENT} is their cost while nothing is recorded.
 */
public class FlightRecorderBenchmark extends RequestTurns {
  private static final byte[] REQUEST =
      "GET /plaintext HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @Param RecordedRequests recorder;

  private @Nullable ServerEvents events;
  private @Nullable Recording recording;

  @Override
  Codec open() {
    Codec codec = new Codec(REQUEST, depth, List.of());
    if (recorder != RecordedRequests.ABSENT) {
      ServerEvents attached = Codec.events(new Facts(), codec.recorded());
      attached.attach();
      events = attached;
    }
    if (recorder == RecordedRequests.ON || recorder == RecordedRequests.EACH) {
      Recording started = new Recording();
      if (recorder == RecordedRequests.EACH) {
        started.enable("dev.peregrine.Request").withThreshold(Duration.ZERO);
      }
      started.setMaxSize(64L * 1024 * 1024);
      started.start();
      recording = started;
    }
    return codec;
  }

  @Override
  void check(String answer) {
    if (answer.split("HTTP/1.1 200 OK", -1).length != 1 + depth) {
      throw new IllegalStateException("wrong answer: " + answer);
    }
  }

  /** Ends the recording. */
  @TearDown(Level.Trial)
  public void endRecording() {
    Recording started = recording;
    if (started != null) {
      started.close();
    }
    ServerEvents attached = events;
    if (attached != null) {
      attached.close();
    }
  }

  private record Facts() implements ServerFacts {
    @Override
    public String server() {
      return "codec";
    }

    @Override
    public String transport() {
      return "scripted";
    }

    @Override
    public String endpoints() {
      return "";
    }

    @Override
    public ScannerKind scanner() {
      return ScannerKind.SCALAR;
    }

    @Override
    public @Nullable Duration pinnedTime() {
      return null;
    }

    @Override
    public ServerLimits limits() {
      return ServerLimits.DEFAULT;
    }
  }
}
