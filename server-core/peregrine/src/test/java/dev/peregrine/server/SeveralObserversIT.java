package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.observe.CloseReason;
import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.server.observe.RejectedRequest;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several listeners of a server, of which some throw. */
final class SeveralObserversIT {
  @RegisterExtension final Servers servers = new Servers();

  private final ObserverNotes notes = new ObserverNotes();

  @Test
  void surviveListenersThatThrow() throws Exception {
    ExchangeListener broken =
        new ExchangeListener() {
          @Override
          public void onBegin(ExchangeInfo exchange) {
            throw new AssertionError("test");
          }

          @Override
          public void onEnd(ExchangeInfo exchange) {
            throw new IllegalStateException("test");
          }

          @Override
          public void onRejected(RejectedRequest rejected) {
            throw new IllegalStateException("test");
          }
        };
    ConnectionListener brokenToo =
        new ConnectionListener() {
          @Override
          public void onOpen(ConnectionInfo connection) {
            throw new StackOverflowError();
          }

          @Override
          public void onClose(ConnectionInfo connection, CloseReason reason, long nanos) {
            throw new IllegalStateException("test");
          }
        };
    HttpServer server =
        servers.start(
            (request, response) -> response.text("ok"),
            options ->
                options
                    .exchangeListener(broken)
                    .exchangeListener(notes)
                    .connectionListener(brokenToo)
                    .connectionListener(notes));

    RawClient client = servers.connect(server);
    for (int i = 0; i < 50; i++) {
      assertThat(client.send(Requests.get("/")).read().text()).isEqualTo("ok");
      assertThat(notes.end()).endsWith("LOOP COMPLETED null");
    }
    client.send("\0\r\n\r\n").readToEnd();
    assertThat(notes.end()).startsWith("rejected 400");
    client.close();
    assertThat(notes.connections.take()).startsWith("open");
    CloseReason reason = Servers.HTTP_2 ? CloseReason.CLIENT_CLOSED : CloseReason.REQUEST_REJECTED;
    assertThat(notes.connections.take()).startsWith(reason + " 50 ");
    assertThat(servers.log().await(Level.SEVERE)).isNotEmpty().hasSizeLessThan(30);
  }

  @Test
  void areCalledInTheOrderOfTheirRegistration() throws Exception {
    List<String> order = new ArrayList<>();
    HttpServer server =
        servers.start(
            (request, response) -> response.send(),
            options ->
                options
                    .exchangeListener(endListener(() -> order.add("first")))
                    .exchangeListener(endListener(() -> order.add("second")))
                    .exchangeListener(endListener(() -> notes.ended.add("third"))));

    servers.connect(server).send(Requests.get("/")).read();

    assertThat(notes.end()).isEqualTo("third");
    assertThat(order).containsExactly("first", "second");
  }

  private static ExchangeListener endListener(Runnable action) {
    return new ExchangeListener() {
      @Override
      public void onEnd(ExchangeInfo exchange) {
        action.run();
      }
    };
  }
}
