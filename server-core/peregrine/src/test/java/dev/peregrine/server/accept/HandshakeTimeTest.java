package dev.peregrine.server.accept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.openssl.Client;
import dev.peregrine.parser.ParserLimits;
import dev.peregrine.parser.RequestParser;
import dev.peregrine.parser.ScannerKind;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.EndpointProbe;
import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.connection.Connection;
import dev.peregrine.server.connection.ConnectionGroup;
import dev.peregrine.server.connection.GroupTime;
import dev.peregrine.server.exchange.state.ExchangeContext;
import dev.peregrine.server.exchange.state.ExchangeReuse;
import dev.peregrine.server.http1.Http1;
import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.testing.Certificates;
import dev.peregrine.testing.ScriptedLoop;
import dev.peregrine.testing.ScriptedSocket;
import dev.peregrine.testing.ServerLog;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The time that a handshake may take, and the idle time after it, by a clock that a test turns. */
final class HandshakeTimeTest {
  private static final Duration HANDSHAKE_TIME = Duration.ofSeconds(10);
  private static final Duration KEEP_ALIVE_TIME = Duration.ofSeconds(4);
  private static final ServerLimits LIMITS =
      ServerLimits.builder()
          .handshakeTime(HANDSHAKE_TIME)
          .keepAliveTime(KEEP_ALIVE_TIME)
          .loopBlockedTime(Duration.ofDays(1))
          .build();

  private final AtomicLong clock = new AtomicLong();
  private final ServerLog log = new ServerLog();
  private final ScriptedLoop loop = new ScriptedLoop(clock::get);
  private final ConnectionGroup group = new ConnectionGroup(loop.loop(), LIMITS);
  private final ScriptedSocket socket = new ScriptedSocket();
  private final Client client = Client.create(Certificates.client(), "TLSv1.3");
  private EndpointStack stack = EndpointStack.HTTP;
  private int seen; // bytes of the server

  @BeforeEach
  void open() throws IOException {
    Endpoint endpoint = Endpoint.tcp("127.0.0.1", 0).with(Certificates.TLS);
    stack = EndpointProbe.options(endpoint).stack().on(loop.loop(), LIMITS);
    ExchangeContext context =
        new ExchangeContext(
            loop.loop(),
            (request, response) -> response.text("ok"),
            LIMITS,
            null,
            ErrorRenderer.PLAIN,
            new ExchangeReuse(0));
    RequestParser parser = new RequestParser(ParserLimits.DEFAULT, ScannerKind.SWAR);
    Http1 http = new Http1(context, parser, "Test", false);
    loop.atEnd(
        () -> {
          group.close(CloseReason.SHUTDOWN);
          stack.close();
        });
    loop.start();
    loop.run(() -> group.open(stack.wrap(socket, loop.loop()), http));
  }

  @AfterEach
  void close() {
    loop.close();
    log.close();
  }

  /** The client's bytes lie in its socket, and the loop gets no processor. */
  @Test
  void countsNoTimeInWhichTheLoopIsStalled() throws IOException {
    socket.receive(answer());
    clock.addAndGet(10 * HANDSHAKE_TIME.toNanos());
    turn();
    turn();

    serve();
    serve();

    assertThat(isSecured()).isTrue();
  }

  @Test
  void readsOnceMoreBeforeItEndsAHandshake() throws IOException {
    serve();
    pass(HANDSHAKE_TIME.minusSeconds(1));
    socket.receive(answer());

    pass(Duration.ofSeconds(2));

    assertThat(isSecured()).isTrue();
  }

  @Test
  void endsAHandshakeWhoseClientIsLate() throws IOException {
    serve();

    pass(HANDSHAKE_TIME.minusSeconds(1));
    assertThat(socket.isOutputShutDown()).isFalse();
    pass(Duration.ofSeconds(2));

    assertThat(socket.isOutputShutDown()).isTrue();
  }

  /** Otherwise a client is cut that completes its handshake late and sends its request soon. */
  @Test
  void beginsTheIdleTimeAfterTheHandshake() throws IOException {
    serve();
    pass(HANDSHAKE_TIME.minusSeconds(1));
    serve();

    pass(KEEP_ALIVE_TIME.minusSeconds(1));
    assertThat(socket.isOutputShutDown()).isFalse();
    pass(Duration.ofSeconds(2));

    assertThat(socket.isOutputShutDown()).isTrue();
  }

  private void turn() {
    loop.run(() -> {});
  }

  /** The client answers, and the server reads that and answers. */
  private void serve() throws IOException {
    socket.receive(answer());
    loop.run(socket::serve);
  }

  private byte[] answer() throws IOException {
    byte[] all = loop.call(socket::written);
    byte[] answer = client.exchange(Arrays.copyOfRange(all, seen, all.length));
    seen = all.length;
    return answer;
  }

  private boolean isSecured() {
    return loop.call(
        () -> {
          Connection connection = group.get(0);
          return connection.isOpen() && connection.facts().tls() != null;
        });
  }

  /** Lets time pass by the clock of the connections. */
  private void pass(Duration time) {
    loop.run(() -> GroupTime.skipTicks(group, time.toNanos() / GroupTime.tickNanos(group)));
  }
}
