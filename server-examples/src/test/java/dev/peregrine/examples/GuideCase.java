package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.server.HttpServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The parts that tests of docs/guide share: a server and its client. */
abstract class GuideCase {
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : opened.reversed()) {
      one.close();
    }
  }

  <T extends AutoCloseable> T open(T one) {
    opened.add(one);
    return one;
  }

  Client serve(Handler handler) {
    HttpServer server = Peregrine.builder().port(0).loops(2).handler(handler).start();
    return open(new Client(open(server).port()));
  }
}
