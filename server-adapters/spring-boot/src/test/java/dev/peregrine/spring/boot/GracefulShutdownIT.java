package dev.peregrine.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.server.observe.ConnectionInfo;
import dev.peregrine.server.observe.ConnectionListener;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The end of an application under load. */
@Timeout(300)
class GracefulShutdownIT {
  private static final int CLIENTS = 16;
  private static final byte[] REQUEST =
      "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Half of the time that a server which ends waits for a request of a connection. */
  private static final long PROMPT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final AtomicInteger served = new AtomicInteger();
  private final List<Integer> unanswered = new CopyOnWriteArrayList<>(); // by the client's port

  /** Notes which connections the server opens. The system resets others that wait for it. */
  @Configuration(proxyBeanMethods = false)
  static class Observed {
    final Set<Integer> opened = ConcurrentHashMap.newKeySet(); // by the client's port

    @Bean
    PeregrineServerCustomizer connections() {
      ConnectionListener noting =
          new ConnectionListener() {
            @Override
            public void onOpen(ConnectionInfo connection) {
              opened.add(((InetSocketAddress) connection.peerAddress()).getPort());
            }
          };
      return builder -> builder.connectionListener(noting);
    }
  }

  @Test
  void losesNoRequest() throws Exception {
    CountDownLatch busy = new CountDownLatch(10 * CLIENTS);
    Set<Integer> opened;
    try (App app = App.start(List.of(Shop.class, Observed.class));
        ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      int port = app.port();
      opened = app.context.getBean(Observed.class).opened;
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        running.add(clients.submit(() -> askUntilRefused(port, busy)));
      }
      assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
      app.context.close();
      for (Future<?> one : running) {
        one.get(60, TimeUnit.SECONDS);
      }
    }

    assertThat(unanswered).doesNotContainAnyElementsOf(opened);
    assertThat(served.get()).isGreaterThanOrEqualTo(10 * CLIENTS);
  }

  /** Sends requests over connections that persist, until no connection is accepted any more. */
  private void askUntilRefused(int port, CountDownLatch busy) {
    while (true) {
      long beginNanos = System.nanoTime();
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout(60_000);
        askUntilLast(socket, beginNanos, busy);
      } catch (IOException refused) {
        return;
      }
    }
  }

  /** Sends the next request after each response, unless this thread is too slow for that. */
  private void askUntilLast(Socket socket, long beginNanos, CountDownLatch busy) {
    long beforeNanos = beginNanos; // when the server may have begun to wait for the request
    boolean last = false;
    while (!last) {
      StringBuilder received = new StringBuilder();
      long sentNanos = send(socket);
      receive(socket, received);
      String response = received.toString();
      if (!response.startsWith("HTTP/1.1 200 ") || !response.endsWith("slow")) {
        boolean late = sentNanos - beforeNanos > PROMPT_NANOS;
        if (!late || !response.isEmpty()) {
          unanswered.add(socket.getLocalPort());
        }
        return;
      }
      beforeNanos = sentNanos;
      last = response.contains("Connection: close");
      served.incrementAndGet();
      busy.countDown();
    }
  }

  /** Sends a request, and returns the time after that. */
  private static long send(Socket socket) {
    try {
      socket.getOutputStream().write(REQUEST);
    } catch (IOException closed) {
      // then no response comes
    }
    return System.nanoTime();
  }

  /** Receives a response whose content is {@code slow}, or what comes of it. */
  private static void receive(Socket socket, StringBuilder text) {
    try {
      InputStream input = socket.getInputStream();
      while (!text.toString().contains("\r\n\r\nslow")) {
        int next = input.read();
        if (next < 0) {
          return;
        }
        text.append((char) next);
      }
    } catch (IOException reset) {
      // no more comes
    }
  }
}
