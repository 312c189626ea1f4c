package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.events.EventStream;
import dev.peregrine.http.events.ServerSentEvent;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.sockets.LoopSocketFactory;
import dev.peregrine.server.sockets.LoopSockets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Responses that are sent in parts, from other threads or late, as docs/guide shows them. See
 * {@link GuideTextTest}.
 */
class GuideLaterTest extends GuideCase {
  @Test
  void sendsEventsFromAnotherThread() throws Exception {
    // snippet: events
    BlockingQueue<String> prices = new LinkedBlockingQueue<>();
    Handler ticker =
        Handlers.blocking(
            (request, response) -> {
              EventStream events = EventStream.open(response);
              while (true) {
                String price = prices.poll(15, TimeUnit.SECONDS);
                if (price != null) {
                  events.send(price); // throws when the client has gone
                } else {
                  events.comment("no news"); // keeps the connection open, and throws too
                }
              }
            });
    // end
    Client client = serve(ticker);
    prices.add("101.50");

    try (var lines = client.lines("/")) {
      assertThat(lines.limit(1).toList().getFirst()).isEqualTo("data: 101.50");
    }
  }

  @Test
  void sendsEventsToMany() throws Exception {
    ExecutorService publisher = open(Executors.newSingleThreadExecutor());
    // snippet: broadcast
    Set<EventStream> listeners = ConcurrentHashMap.newKeySet();
    Handler subscribe =
        (request, response) -> {
          EventStream events = EventStream.open(response.async());
          listeners.add(events);
          events.onClose(() -> listeners.remove(events));
        };
    Runnable news =
        () -> {
          for (EventStream listener : listeners) {
            if (listener.isWritable()) { // skips a client that is behind
              try {
                listener.send(ServerSentEvent.of("breaking").event("news"));
              } catch (IOException gone) {
                // onClose has removed it.
              }
            }
          }
        };
    // end
    Client client = serve(subscribe);

    try (var lines = client.lines("/")) {
      CompletableFuture<List<String>> first =
          CompletableFuture.supplyAsync(() -> lines.limit(2).toList());
      while (listeners.isEmpty()) {
        Thread.onSpinWait();
      }
      publisher.submit(news).get();
      assertThat(first.get()).containsExactly("event: news", "data: breaking");
    }
  }

  @Test
  void callsADatabase() throws Exception {
    DataSource database = StandInDatabase.of("select name from users where id = ?", 7L, "Ada");
    // snippet: database
    Handler user =
        Handlers.blocking(
            (request, response) -> {
              long id = request.pathParameter("id", Long::valueOf);
              try (Connection connection = database.getConnection();
                  PreparedStatement query =
                      connection.prepareStatement("select name from users where id = ?")) {
                query.setLong(1, id);
                try (ResultSet rows = query.executeQuery()) {
                  if (!rows.next()) {
                    throw new HttpException(404, "no user " + id);
                  }
                  response.text(rows.getString(1));
                }
              }
            });
    // end
    Client client = serve(Routes.builder().get("/users/{id}", user).build());

    assertThat(client.get("/users/7").body()).isEqualTo("Ada");
    assertThat(client.get("/users/8").statusCode()).isEqualTo(404);
  }

  @Test
  void hasAPoolForEachLoop() throws Exception {
    AtomicInteger open = new AtomicInteger();
    LoopPools pools =
        new LoopPools(
            () -> {
              open.incrementAndGet();
              return StandInDatabase.of("", 0, "", open::decrementAndGet);
            });
    Handler handler =
        (request, response) -> {
          try (Connection first = pools.getConnection();
              Connection second = pools.getConnection()) {
            response.text(first != null && second != null ? "two" : "none");
          }
        };
    Client client = serve(Handlers.blocking(handler));

    assertThat(client.get("/").body()).isEqualTo("two");
    assertThat(open).hasValue(1);

    pools.close();

    assertThat(open).hasValue(0);
  }

  @Test
  void asksAService() throws Exception {
    try (ServerSocket service = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Handler handler =
          (request, response) -> {
            try (Socket socket =
                LoopSocketFactory.getDefault()
                    .createSocket(service.getInetAddress(), service.getLocalPort())) {
              socket.getOutputStream().write('?');
              response.text("answer " + socket.getInputStream().read());
            }
          };
      // snippet: loop-sockets
      LoopSockets sockets = LoopSockets.create(); // before the first connection pool
      HttpServer server =
          Peregrine.builder().port(0).with(sockets).handler(Handlers.blocking(handler)).start();
      // end
      Client client = open(new Client(open(server).port()));
      CompletableFuture<Void> answer =
          CompletableFuture.runAsync(
              () -> {
                try (Socket asked = service.accept()) {
                  asked.getOutputStream().write(asked.getInputStream().read() - '?' + 7);
                } catch (IOException failure) {
                  throw new UncheckedIOException(failure);
                }
              });

      assertThat(client.get("/").body()).isEqualTo("answer 7");
      answer.join();
    }
  }

  @Test
  void answersLater() throws Exception {
    Directory users = id -> CompletableFuture.supplyAsync(() -> "user " + id);
    // snippet: stage
    Handler user =
        (request, response) ->
            response.async(
                () -> users.find(request.pathParameter("id")).thenAccept(response::text));
    // end
    Client client = serve(Routes.builder().get("/users/{id}", user).build());

    assertThat(client.get("/users/7").body()).isEqualTo("user 7");
  }

  private interface Directory {
    CompletableFuture<String> find(String id);
  }

  @Test
  void answersFromAnotherThread() throws Exception {
    ExecutorService workers = open(Executors.newFixedThreadPool(2));
    // snippet: later
    Handler work =
        (request, response) -> {
          response.async(); // until it is complete, one thread at a time may use both
          Future<?> task =
              workers.submit(
                  () -> {
                    try {
                      response.text("done: " + request.path() + "\n");
                    } catch (RuntimeException failure) {
                      response.fail(failure); // otherwise the client gets no response
                    }
                  });
          response.onAbort(cause -> task.cancel(true)); // the client has gone
        };
    // end
    assertThat(serve(work).get("/job").body()).isEqualTo("done: /job\n");
  }

  /** A source of news, with a future for each client that waits. */
  private static final class Hub {
    final BlockingQueue<CompletableFuture<String>> waiting = new LinkedBlockingQueue<>();

    CompletableFuture<String> next() {
      CompletableFuture<String> news = new CompletableFuture<>();
      waiting.add(news);
      return news;
    }

    void publish(String text) {
      try {
        waiting.take().complete(text);
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void answersAPollOrStopsIt() throws Exception {
    Hub hub = new Hub();
    // snippet: poll
    Handler poll =
        (request, response) -> {
          CompletableFuture<String> news = hub.next(); // of this client
          response.async(() -> news.thenAccept(response::text));
          response.onClientClosed(() -> news.complete("")); // completes it, unread
          response.onShutdown(() -> news.complete("")); // the client polls again, at another server
        };
    // end
    Client client = serve(poll);
    Thread.ofVirtual().start(() -> hub.publish("breaking"));
    assertThat(client.get("/").body()).isEqualTo("breaking");

    CompletableFuture<String> news;
    try (Socket tab = new Socket(InetAddress.getLoopbackAddress(), client.port())) {
      tab.getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      news = hub.waiting.take();
    }
    assertThat(news.join()).isEmpty(); // the tab is closed
  }
}
