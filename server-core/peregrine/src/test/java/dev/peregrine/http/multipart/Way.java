package dev.peregrine.http.multipart;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.HexFormat;
import java.util.Objects;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The ways in which a handler takes a form apart. All give the same response. */
enum Way {
  FLOW,
  FLOW_WITH_PAUSES,
  FLOW_WITH_PAUSES_FROM_THREADS,
  STREAM,
  CHANNEL;

  /** Returns a handler that responds with a line for each part: names, size and checksum. */
  Handler handler(MultipartLimits limits) {
    return switch (this) {
      case FLOW, FLOW_WITH_PAUSES, FLOW_WITH_PAUSES_FROM_THREADS ->
          (request, response) -> new Summary(this, response).receive(request, limits);
      case STREAM -> Handlers.blocking((request, response) -> read(request, response, limits));
      case CHANNEL -> Handlers.blocking((request, response) -> transfer(request, response, limits));
    };
  }

  /** Returns the line of a part. */
  static String line(String name, @Nullable String filename, byte[] content) {
    CRC32 checksum = new CRC32();
    checksum.update(content);
    return "%s|%s|%d|%s\n"
        .formatted(
            name, filename, content.length, HexFormat.of().toHexDigits((int) checksum.getValue()));
  }

  private static void read(Request request, Response response, MultipartLimits limits)
      throws IOException {
    StringBuilder lines = new StringBuilder();
    try (MultipartReader parts = MultipartReader.open(request, limits)) {
      for (Part part = parts.next(); part != null; part = parts.next()) {
        byte[] content = part.inputStream().readAllBytes();
        lines.append(line(part.name(), part.filename(), content));
      }
    }
    response.text(lines.toString());
  }

  private static void transfer(Request request, Response response, MultipartLimits limits)
      throws IOException {
    StringBuilder lines = new StringBuilder();
    try (MultipartReader parts = MultipartReader.open(request, limits)) {
      for (Part part = parts.next(); part != null; part = parts.next()) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        long count = part.transferTo(Channels.newChannel(content));
        if (count != content.size()) {
          throw new AssertionError(count + " bytes, not " + content.size());
        }
        lines.append(line(part.name(), part.filename(), content.toByteArray()));
      }
    }
    response.text(lines.toString());
  }

  /** Takes parts on the event loop. */
  private static final class Summary implements MultipartListener {
    private final Way way;
    private final Response response;
    private final StringBuilder lines = new StringBuilder();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private @Nullable MultipartFlow flow;
    private @Nullable PartHead head;
    private volatile boolean paused;

    Summary(Way way, Response response) {
      this.way = way;
      this.response = response;
    }

    void receive(Request request, MultipartLimits limits) {
      if (way == FLOW_WITH_PAUSES_FROM_THREADS) {
        response.async();
      }
      flow = MultipartFlow.receive(request, response, limits, this);
    }

    @Override
    public void onPart(PartHead part) {
      head = part;
      content.reset();
      pauseShortly();
    }

    @Override
    public void onData(Bytes data) {
      content.writeBytes(data.toArray());
      pauseShortly();
    }

    @Override
    public void onPartEnd() {
      PartHead part = Objects.requireNonNull(head);
      lines.append(line(part.name(), part.filename(), content.toByteArray()));
      pauseShortly();
    }

    @Override
    public void onEnd() {
      checkNotPaused();
      response.text(lines.toString());
    }

    private void pauseShortly() {
      checkNotPaused();
      if (way != FLOW) {
        paused = true;
        Objects.requireNonNull(flow).pause();
        if (way == FLOW_WITH_PAUSES) {
          response.onLoop(this::resume);
        } else {
          Thread.ofVirtual().start(this::resume);
        }
      }
    }

    private void resume() {
      paused = false;
      Objects.requireNonNull(flow).resume();
    }

    private void checkNotPaused() {
      if (paused) {
        throw new AssertionError("called while paused");
      }
    }
  }
}
