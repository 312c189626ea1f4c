package dev.peregrine.server;

import dev.peregrine.http.route.Routes;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.testing.AllocationProbe;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server with listeners allocates nothing for an exchange, over sockets. */
final class ObserversAllocationIT {
  @RegisterExtension final Servers servers = new Servers();

  @Test
  void observingAnExchangeAllocatesNothing() {
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
    AllocationProbe probe = new AllocationProbe();
    HttpServer server =
        servers.start(
            Routes.builder().mount("/x", Routes.builder().get("/{name}", probe).build()).build(),
            options -> options.exchangeListener(listener));
    RawClient client = servers.connect(server);

    probe.awaitNothing(client, Requests.get("/x/first"), Requests.get("/x/second"));
  }
}
