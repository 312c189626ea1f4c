package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.server.observe.LoopInfo;
import dev.peregrine.server.observe.LoopListener;
import dev.peregrine.server.observe.ServerListener;
import dev.peregrine.testing.FreePort;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that listen before they are started. */
final class BoundServerIT {
  private static final Handler DAEMON =
      (request, response) -> response.text("daemon: " + Thread.currentThread().isDaemon());

  @RegisterExtension final Servers servers = new Servers();

  private static HttpServerBuilder options() {
    return Peregrine.builder()
        .loops(2)
        .limits(Servers.LIMITS)
        .transport(Servers.TRANSPORT)
        .handler(DAEMON);
  }

  private static HttpServerBuilder optionsOn(int port) {
    return options().port(port);
  }

  @Test
  void servesConnectionsThatCameBeforeItsStart() {
    BoundServer bound = options().bind();
    assertThat(bound.addresses()).containsExactly(bound.address());
    assertThat(bound.address().getPort()).isPositive();
    try (RawClient early = RawClient.connect(bound.address()).get("/")) {
      HttpServer server = servers.watch(bound.start());

      assertThat(server.address()).isEqualTo(bound.address());
      assertThat(early.read().text()).isEqualTo("daemon: false");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepsTheProgramRunningUnlessItsLoopsAreDaemons(boolean daemon) {
    HttpServer server = servers.watch(options().daemon(daemon).bind().start());

    assertThat(servers.connect(server).get("/").read().text()).isEqualTo("daemon: " + daemon);
  }

  @Test
  void hasNoThreadsBeforeItsStart() {
    try (BoundServer bound = options().name("unstarted").bind()) {
      assertThat(bound.address().getPort()).isPositive();
      assertThat(Thread.getAllStackTraces().keySet())
          .filteredOn(thread -> !thread.isDaemon())
          .extracting(Thread::getName)
          .noneMatch(name -> name.startsWith("unstarted"));
    }
  }

  @Test
  void freesItsPortIfItIsNotStarted() throws IOException {
    int port = FreePort.ofLoopback(); // which no client is given meanwhile
    BoundServer bound = optionsOn(port).bind();
    assertThatThrownBy(() -> optionsOn(port).bind())
        .isInstanceOf(UncheckedIOException.class)
        .hasCauseInstanceOf(BindException.class);

    bound.close();
    bound.close();

    HttpServer next = servers.watch(optionsOn(port).start());
    assertThat(next.port()).isEqualTo(port);
    assertThatIllegalStateException().isThrownBy(bound::start);
  }

  @Test
  void startsOnce() {
    BoundServer bound = options().bind();
    HttpServer server = servers.watch(bound.start());

    assertThatIllegalStateException().isThrownBy(bound::start).withMessageContaining("started");
    bound.close();

    assertThat(servers.connect(server).get("/").read().status()).isEqualTo(200);
  }

  @Test
  void freesItsPortIfAListenerFailsAtTheStart() throws IOException {
    List<String> events = new ArrayList<>();
    ServerListener failing =
        new ServerListener() {
          @Override
          public List<? extends LoopListener> onStart(String server, List<LoopInfo> loops) {
            events.add("start");
            throw new IllegalStateException("no disk");
          }
        };
    int port = FreePort.ofLoopback(); // as above
    BoundServer bound = optionsOn(port).serverListener(failing).bind();
    assertThat(events).isEmpty();

    assertThatIllegalStateException().isThrownBy(bound::start).withMessage("no disk");

    HttpServer next = servers.watch(optionsOn(port).start());
    assertThat(next.port()).isEqualTo(port);
    assertThat(events).containsExactly("start");
  }
}
