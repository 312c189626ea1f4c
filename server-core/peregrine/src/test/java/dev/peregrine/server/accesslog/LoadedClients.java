package dev.peregrine.server.accesslog;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that send numbered requests on several loops, until they are stopped. */
final class LoadedClients {
  private final List<Thread> threads = new ArrayList<>();
  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final AtomicInteger sent = new AtomicInteger();
  private volatile boolean stopped;

  LoadedClients(Servers servers, HttpServer server, int count) {
    for (int i = 0; i < count; i++) {
      RawClient client = servers.connect(server);
      threads.add(Thread.ofPlatform().start(() -> run(client)));
    }
  }

  private void run(RawClient client) {
    try {
      while (!stopped) {
        client.send(Requests.get("/number/" + sent.getAndIncrement())).read();
      }
    } catch (RuntimeException | AssertionError failure) {
      failures.add(failure);
    }
  }

  /** Returns the number of requests so far. */
  int sent() {
    return sent.get();
  }

  /** Ends the clients; returns the number of requests, all of which were answered. */
  int stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.toString());
    }
    return sent.get();
  }
}
