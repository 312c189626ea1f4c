package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.peregrine.http.Handler;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server with listeners allocates nothing for an exchange, over sockets. */
final class ObserversAllocationIT {
  @RegisterExtension final Servers servers = new Servers();

  @Test
  void observingAnExchangeAllocatesNothing() {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    AtomicLong before = new AtomicLong();
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    AtomicLong sum = new AtomicLong();
    byte[] target = new byte[100];
    ExchangeListener listener =
        new ExchangeListener() {
          @Override
          public void onEnd(ExchangeInfo exchange) {
            sum.setPlain(
                sum.getPlain()
                    + exchange.status()
                    + exchange.copyTarget(target, 0)
                    + exchange.responseContentBytes()
                    + exchange.endNanos()
                    - exchange.beginNanos()
                    + exchange.runMode().name().length()
                    + String.valueOf(exchange.routeTemplate()).length()
                    + exchange.connection().requests());
          }
        };
    byte[] content = Requests.bytes("ok");
    Handler handler =
        (request, response) -> {
          long now = threads.getCurrentThreadAllocatedBytes();
          if (request.pathIs("/x/second")) {
            least.setPlain(Math.min(least.getPlain(), now - before.getPlain()));
          }
          response.send(content);
          before.setPlain(threads.getCurrentThreadAllocatedBytes());
        };
    HttpServer server =
        servers.start(
            Routes.builder().mount("/x", Routes.builder().get("/{name}", handler).build()).build(),
            options -> options.exchangeListener(listener));
    RawClient client = servers.connect(server);
    byte[] both = Requests.join(Requests.get("/x/first"), Requests.get("/x/second"));

    // Only compiled code allocates nothing, and the time until it is compiled depends on the
    // machine.
    Await.until(
        () -> "an exchange allocates " + least.get() + " bytes",
        () -> {
          for (int i = 0; i < 100; i++) {
            client.send(both);
            assertThat(client.read().status()).isEqualTo(200);
            assertThat(client.read().status()).isEqualTo(200);
          }
          return least.get() == 0;
        });
  }
}
