package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.loop.CarriedThreads;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The events that a server records periodically in the Flight Recorder. */
final class FlightStatisticsIT {
  private static final String LOOP = "dev.peregrine.LoopStatistics";
  private static final String MEMORY = "dev.peregrine.MemoryStatistics";
  private static final String CONFIGURATION = "dev.peregrine.ServerConfiguration";

  @RegisterExtension final Servers servers = new Servers();

  private final BlockingQueue<RecordedEvent> events = new LinkedBlockingQueue<>();

  private RecordedEvent take() throws InterruptedException {
    RecordedEvent event = events.poll(120, TimeUnit.SECONDS);
    assertThat(event).isNotNull();
    return event;
  }

  /** Returns the next event of a server, after those of others in this process. */
  private RecordedEvent takeOf(HttpServer server) throws InterruptedException {
    RecordedEvent event = take();
    while (!event.getString("server").equals(server.name())) {
      event = take();
    }
    return event;
  }

  /** Returns the next event of a loop of a server, after those of others in this process. */
  private RecordedEvent takeOfLoopOf(HttpServer server) throws InterruptedException {
    RecordedEvent event = take();
    while (!event.getString("loop").startsWith(server.name() + "-loop-")) {
      event = take();
    }
    return event;
  }

  private RecordingStream stream(String event) {
    RecordingStream stream = new RecordingStream();
    stream.setReuse(false);
    stream.onEvent(event, events::add);
    return stream;
  }

  @Test
  void recordsStatisticsOfEachLoopUntilTheServerEnds() throws Exception {
    HttpServer server;
    try (RecordingStream stream = stream(LOOP)) {
      stream.enable(LOOP).withPeriod(Duration.ofMillis(20));
      server = servers.start((request, response) -> response.send());
      RawClient client = servers.connect(server);
      client.send(Requests.get("/")).read();
      stream.startAsync();

      RecordedEvent one = takeOfLoopOf(server);
      RecordedEvent two = takeOfLoopOf(server);
      assertThat(Set.of(one.getString("loop"), two.getString("loop")))
          .isEqualTo(Set.of(server.name() + "-loop-0", server.name() + "-loop-1"));
      assertThat(one.getLong("connections") + two.getLong("connections")).isEqualTo(1);
      assertThat(one.getLong("bufferBytesReserved")).isPositive();
      assertThat(one.getLong("bufferBytesInUse")).isNotNegative();
      assertThat(one.getLong("bufferBytesReturned")).isNotNegative();

      server.close();
      HttpServer next = servers.start((request, response) -> response.send());
      takeOfLoopOf(next); // after those of the server before it
      for (int i = 0; i < 10; i++) {
        assertThat(take().getString("loop")).doesNotStartWith(server.name() + "-loop-");
      }
    }
  }

  @Test
  void recordsTheMemoryOfAServerBesideThatOfItsProcess() throws Exception {
    try (RecordingStream stream = stream(MEMORY)) {
      stream.enable(MEMORY).withPeriod(Duration.ofMillis(20));
      HttpServer server = servers.start((request, response) -> response.send());
      servers.connect(server).send(Requests.get("/")).read();
      stream.startAsync();

      RecordedEvent event = takeOf(server);

      assertThat(event.getLong("bufferBytesInUse")).isNotNegative();
      assertThat(event.getLong("bufferBytesReserved"))
          .isPositive()
          .isLessThanOrEqualTo(event.getLong("processBytes"));
      assertThat(event.getLong("processBytes"))
          .isLessThanOrEqualTo(event.getLong("processBytesMax"));
    }
  }

  @OnlyHttp1("the protocols that a server speaks don't depend on its clients")
  @Test
  void recordsTheConfigurationWhenARecordingBegins() throws Exception {
    HttpServer server =
        servers.watch(
            Peregrine.builder()
                .endpoint(Endpoint.tcp("127.0.0.1", 0))
                .endpoint(Endpoint.tcp("127.0.0.1", 0).with(Certificates.TLS))
                .transport(Servers.TRANSPORT)
                .loops(2)
                .scanner(ScannerKind.SCALAR)
                .handler((request, response) -> response.send())
                .start());
    try (RecordingStream stream = stream(CONFIGURATION)) {
      stream.startAsync();

      RecordedEvent event = takeOf(server);

      assertThat(event.getString("transport")).isEqualTo(Servers.TRANSPORT.name());
      assertThat(event.getString("scanner")).isEqualTo("SCALAR");
      assertThat(event.getInt("loops")).isEqualTo(2);
      assertThat(event.getBoolean("carriesHandlers")).isEqualTo(CarriedThreads.isAvailable());
      assertThat(event.getString("endpoints"))
          .isEqualTo(
              server.addresses().get(0)
                  + " HTTP/1.1 and HTTP/2; "
                  + server.addresses().get(1)
                  + " HTTP/1.1 and HTTP/2, TLS with [h2, http/1.1, http/1.0]");
      assertThat(event.getString("limits")).contains("keepAliveTime=");
    }
  }
}
