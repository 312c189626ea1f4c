package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.route.Routes;
import dev.peregrine.protocol.Rejection;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.HandshakeFailure;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.HttpsClient;
import dev.peregrine.testing.OnlyHttp1;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The events of a server in the Flight Recorder, over sockets. */
final class FlightRecorderIT {
  private static final String REQUEST = "dev.peregrine.Request";
  private static final String CLOSED = "dev.peregrine.ConnectionClosed";
  private static final String REJECTION = "dev.peregrine.Rejection";
  private static final String HANDSHAKE = "dev.peregrine.Handshake";
  private static final String BLOCKED = "dev.peregrine.LoopBlocked";
  private static final String TURN = "dev.peregrine.LoopTurn";

  @RegisterExtension final Servers servers = new Servers();
  @TempDir Path folder;

  private final Recording recording = new Recording();

  @AfterEach
  void endRecording() {
    recording.close();
  }

  /** Ends the server, so that all its events are recorded, and returns those of one kind. */
  private List<RecordedEvent> events(HttpServer server, String name) throws IOException {
    server.close();
    Path file = folder.resolve("recording.jfr");
    recording.stop();
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .toList();
  }

  private static String text(RecordedEvent event, String... fields) {
    StringBuilder text = new StringBuilder();
    for (String field : fields) {
      Object value = event.getValue(field);
      text.append(text.isEmpty() ? "" : " ").append(value);
    }
    return text.toString();
  }

  // ---- requests ----

  @Test
  void recordsEachRequestWithItsRouteAndWithoutItsPath() throws Exception {
    recording.enable(REQUEST).withoutThreshold();
    recording.start();
    Handler upload =
        Handlers.blocking(
            (request, response) -> response.status(201).send(request.body().readAll(100)));
    Routes routes =
        Routes.builder()
            .get("/users/{id}", (request, response) -> response.text("me"))
            .post("/upload", upload)
            .build();
    HttpServer server = servers.start(routes);
    RawClient client = servers.connect(server);
    client.send(Requests.get("/users/secret?token=secret")).read();
    client.send(Requests.post("/upload", new byte[10])).read();
    client.send(Requests.get("/none")).read();

    List<RecordedEvent> events = events(server, REQUEST);

    assertThat(events)
        .extracting(
            event ->
                text(
                    event,
                    "method",
                    "routeTemplate",
                    "protocol",
                    "status",
                    "requestContentBytes",
                    "runMode",
                    "outcome",
                    "closeReason"))
        .containsExactly(
            "GET /users/{id} " + Servers.VERSION + " 200 0 LOOP COMPLETED null",
            "POST /upload " + Servers.VERSION + " 201 10 BLOCKING COMPLETED null",
            "GET null " + Servers.VERSION + " 404 0 LOOP COMPLETED null");
    assertThat(events.getFirst().getLong("responseContentBytes")).isEqualTo(2);
    assertThat(events.get(1).getLong("responseContentBytes")).isEqualTo(10);
    assertThat(events)
        .allSatisfy(
            event -> {
              assertThat(event.toString()).doesNotContain("secret");
              assertThat(event.getThread().getJavaName()).startsWith(server.name() + "-loop-");
              assertThat(event.getDuration("timeToFirstByte")).isPositive();
              assertThat(event.getDuration("queueTime"))
                  .isPositive()
                  .isLessThanOrEqualTo(event.getDuration("timeToFirstByte"));
              assertThat(event.getDuration()).isPositive();
            });
  }

  @Test
  void recordsRequestsThatTakeLongerThanTheThreshold() throws Exception {
    recording.enable(REQUEST).withThreshold(Duration.ofMillis(50));
    recording.start();
    HttpServer server =
        servers.start(
            (request, response) -> {
              if (request.pathIs("/slow")) {
                response.async().onLoopAfter(Duration.ofMillis(60), () -> response.text("late"));
              } else {
                response.status(204).send();
              }
            });
    RawClient client = servers.connect(server);
    client.send(Requests.get("/slow")).read();

    assertThat(events(server, REQUEST)).anyMatch(event -> event.getInt("status") == 200);
  }

  @Test
  void leavesOutRequestsBelowTheThreshold() throws Exception {
    recording.enable(REQUEST).withThreshold(Duration.ofDays(1));
    recording.start();
    HttpServer server = servers.start((request, response) -> response.send());
    servers.connect(server).send(Requests.get("/")).read();

    assertThat(events(server, REQUEST)).isEmpty();
  }

  @Test
  void hasAThresholdOfTenMillisecondsByDefault() {
    recording.start();
    HttpServer server = servers.start((request, response) -> response.send());
    servers.connect(server).send(Requests.get("/")).read();

    assertThat(type(REQUEST).getSettingDescriptors())
        .filteredOn(setting -> setting.getName().equals("threshold"))
        .singleElement()
        .extracting(setting -> setting.getDefaultValue())
        .isEqualTo("10 ms");
    assertThat(ownTypes())
        .allSatisfy(type -> assertThat(type.getCategoryNames()).containsExactly("Peregrine"))
        .extracting(EventType::getName)
        .contains(REQUEST, CLOSED, TURN);
  }

  private static List<EventType> ownTypes() {
    return FlightRecorder.getFlightRecorder().getEventTypes().stream()
        .filter(type -> type.getName().startsWith("dev.peregrine."))
        .toList();
  }

  private static EventType type(String name) {
    return ownTypes().stream().filter(type -> type.getName().equals(name)).findFirst().get();
  }

  @Test
  void recordsNothingOfDisabledEvents() throws Exception {
    recording.disable(REQUEST);
    recording.disable(CLOSED);
    recording.disable(REJECTION);
    recording.start();
    HttpServer server = servers.start((request, response) -> response.send());
    RawClient client = servers.connect(server);
    client.send(Requests.get("/")).read();
    client.send(Requests.get("/\u00e9")).readToEnd();
    server.close();

    assertThat(events(server, REQUEST)).isEmpty();
    Path file = folder.resolve("recording.jfr");
    assertThat(RecordingFile.readAllEvents(file))
        .extracting(event -> event.getEventType().getName())
        .doesNotContain(CLOSED, REJECTION);
  }

  // ---- connections ----

  @Test
  void recordsEachConnectionThatIsClosed() throws Exception {
    recording.start();
    HttpServer server = servers.start((request, response) -> response.send());
    RawClient client = servers.connect(server);
    String address = String.valueOf(client.localAddress());
    client.send(Requests.get("/")).read();
    client.send(Requests.get("/")).read();
    client.close();
    Await.until("the connection is closed", () -> server.connectionCount() == 0);
    RawClient open = servers.connect(server);
    String openAddress = String.valueOf(open.localAddress());
    open.send(Requests.get("/")).read();

    List<RecordedEvent> events = events(server, CLOSED);

    String constant = Servers.TRANSPORT + " " + Servers.VERSION + " ";
    assertThat(events)
        .extracting(
            event ->
                text(event, "transport", "protocol", "peer", "requests", "closeReason", "partial"))
        .containsExactly(
            constant + address + " 2 " + CloseReason.CLIENT_CLOSED + " false",
            constant + openAddress + " 1 " + CloseReason.SHUTDOWN + " false");
    RecordedEvent first = events.getFirst();
    assertThat(first.getLong("bytesReceived")).isPositive();
    assertThat(first.getLong("bytesSent")).isPositive();
    assertThat(first.getDuration()).isPositive();
  }

  @Test
  void recordsAServerThatRunsAlready() throws Exception {
    HttpServer server = servers.start((request, response) -> response.send());
    RawClient asked = servers.connect(server);
    RawClient idle = servers.connect(server);
    List<String> expected =
        Stream.of(asked, idle)
            .map(client -> client.localAddress() + " " + CloseReason.SHUTDOWN + " true")
            .toList();
    asked.send(Requests.get("/")).read();
    idle.send(Requests.get("/")).read();
    BlockingQueue<RecordedEvent> requests = new LinkedBlockingQueue<>();
    try (RecordingStream stream = new RecordingStream()) {
      stream.setReuse(false);
      stream.enable(REQUEST).withoutThreshold();
      stream.onEvent(REQUEST, requests::add);
      stream.startAsync();
      recording.start();
      Await.until(
          "a request is recorded",
          () -> {
            asked.send(Requests.get("/")).read();
            idle.send(Requests.get("/")).read();
            return !requests.isEmpty();
          });
    }

    List<RecordedEvent> events = events(server, CLOSED);

    assertThat(events)
        .extracting(event -> text(event, "peer", "closeReason", "partial"))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  // ---- rejections and handshakes ----

  @Test
  void recordsBytesThatAreRejected() throws Exception {
    recording.start();
    HttpServer server = servers.start((request, response) -> response.send());
    RawClient client = servers.connect(server);
    String address = String.valueOf(client.localAddress());
    client.send(Requests.get("/\u00e9")).readToEnd();

    RecordedEvent event = events(server, REJECTION).getFirst();

    assertThat(text(event, "rule", "status", "peer"))
        .isEqualTo(Rejection.TARGET_CHARACTER_INVALID + " 400 " + address);
    assertThat(event.getString("reason")).isNotEmpty();
    assertThat(event.getLong("bytesReceived")).isPositive();
  }

  @OnlyHttp1("TLS before any version of HTTP")
  @Test
  void recordsHandshakesThatFail() throws Exception {
    recording.start();
    HttpServer server =
        servers.start(
            (request, response) -> response.send(), options -> options.with(Certificates.TLS));
    try (RawClient client = RawClient.connect(server.address())) {
      String address = String.valueOf(client.localAddress());
      client.get("/").read();
      client.expectEnd();

      RecordedEvent event = events(server, HANDSHAKE).getFirst();

      assertThat(text(event, "failure", "peer"))
          .isEqualTo(HandshakeFailure.PLAIN_HTTP + " " + address);
      assertThat(event.getString("detail")).isNotEmpty();
      assertThat(event.getDuration("time")).isPositive();
    }
  }

  @OnlyHttp1("one handshake is enough")
  @Test
  void recordsHandshakes() throws Exception {
    recording.start();
    HttpServer server =
        servers.start(
            (request, response) -> response.send(), options -> options.with(Certificates.TLS));
    HttpsClient.ask(server, Certificates.client(null), HttpsClient.version("TLSv1.3"));

    RecordedEvent event = events(server, HANDSHAKE).getFirst();

    assertThat(text(event, "failure", "detail", "version", "applicationProtocol", "resumed"))
        .isEqualTo("null null TLSv1.3 null false");
    assertThat(event.getString("cipherSuite")).startsWith("TLS_");
    assertThat(event.getDuration("time")).isPositive();
  }

  // ---- event loops ----

  @Test
  void recordsTheTurnsOfALoopThatTakeLongerThanTheThreshold() throws Exception {
    recording.enable(TURN).withoutThreshold();
    recording.start();
    HttpServer server = servers.start((request, response) -> response.send());
    servers.connect(server).send(Requests.get("/")).read();

    List<RecordedEvent> turns = events(server, TURN);

    assertThat(turns)
        .allSatisfy(
            turn -> {
              assertThat(turn.getString("loop")).startsWith(server.name() + "-loop-");
              assertThat(turn.getDuration()).isPositive();
            });
    assertThat(turns.stream().mapToInt(turn -> turn.getInt("requests")).sum()).isEqualTo(1);
    assertThat(turns.stream().mapToInt(turn -> turn.getInt("connections")).sum()).isEqualTo(1);
  }

  @Test
  void recordsTheTurnInWhichALoopEnds() throws Exception {
    recording.enable(TURN).withoutThreshold();
    recording.start();
    AtomicReference<Thread> closing = new AtomicReference<>();
    HttpServer server =
        servers.start(
            (request, response) -> {
              response.send();
              Thread closer = closing.get();
              closer.start();
              Await.until(
                  "the close waits for this turn",
                  () ->
                      closer.getState() == Thread.State.TIMED_WAITING
                          || closer.getState() == Thread.State.WAITING);
            });
    Thread closer = new Thread(server::close);
    closing.set(closer);
    servers.connect(server).send(Requests.get("/")).expectClosed();
    closer.join();

    assertThat(events(server, TURN).stream().mapToInt(turn -> turn.getInt("requests")).sum())
        .isEqualTo(1);
  }

  @Test
  void recordsALoopThatIsBlockedWithItsStack() throws Exception {
    Semaphore released = new Semaphore(0);
    BlockingQueue<RecordedEvent> reports = new LinkedBlockingQueue<>();
    try (RecordingStream stream = new RecordingStream()) {
      stream.setReuse(false);
      stream.onEvent(BLOCKED, reports::add);
      stream.startAsync();
      HttpServer server =
          servers.start(
              (request, response) -> {
                released.acquire();
                response.send();
              },
              Servers.LIMITS.toBuilder().loopBlockedTime(Duration.ofMillis(50)).build());
      RawClient client = servers.connect(server);

      RecordedEvent found;
      do { // again if a slow machine was late before the handler waited
        client.get("/secret");
        found = take(reports);
        released.release();
        client.read();
      } while (!isOfWait(found));
      String loop = found.getString("loop");
      RecordedEvent over = take(reports);
      while (!over.getBoolean("over") || !over.getString("loop").equals(loop)) {
        // The turn went on with something else, which a slow machine made long enough to report,
        // or another loop was late.
        over = take(reports);
      }

      assertThat(loop).startsWith(server.name() + "-loop-");
      assertThat(found.getDuration("blockedTime")).isGreaterThanOrEqualTo(Duration.ofMillis(50));
      assertThat(found.getBoolean("over")).isFalse();
      assertThat(found.getString("activity")).startsWith("in the application's code");
      assertThat(found.toString()).doesNotContain("/secret");
      assertThat(over.getDuration("blockedTime"))
          .isGreaterThanOrEqualTo(found.getDuration("blockedTime"));
      assertThat(over.getString("activity")).isNull();
    }
    servers.log().awaitReports();
  }

  private static boolean isOfWait(RecordedEvent report) {
    String stack = report.getString("loopStack");
    return stack != null && stack.contains("Semaphore.acquire");
  }

  private static RecordedEvent take(BlockingQueue<RecordedEvent> events)
      throws InterruptedException {
    RecordedEvent event = events.poll(120, TimeUnit.SECONDS);
    assertThat(event).isNotNull();
    return event;
  }

  // ---- the end of a server ----

  @Test
  void keepsNoServerThatHasEndedDuringARecording() throws Exception {
    recording.start();

    awaitCollected(runAndEnd(() -> {}));
  }

  @Test
  void keepsNoServerThatHasEndedAfterARecording() throws Exception {
    recording.start();

    awaitCollected(runAndEnd(recording::stop));
  }

  /** Runs a server in a frame of its own, which has ended when it returns. */
  private static WeakReference<HttpServer> runAndEnd(Runnable beforeEnd) throws Exception {
    try (HttpServer server = start();
        RawClient client = RawClient.connect(server.address())) {
      client.get("/").read();
      beforeEnd.run();
      return new WeakReference<>(server);
    }
  }

  private static HttpServer start() {
    return Peregrine.builder()
        .port(0)
        .limits(Servers.LIMITS)
        .transport(Servers.TRANSPORT)
        .handler((request, response) -> response.send())
        .start();
  }

  private static void awaitCollected(WeakReference<HttpServer> server) {
    Await.until(
        "the server is garbage",
        () -> {
          System.gc();
          return server.refersTo(null);
        });
  }
}
