package dev.peregrine.examples;

import dev.peregrine.Peregrine;
import dev.peregrine.http.Handler;
import dev.peregrine.http.filter.RateLimit;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import java.time.Duration;

/**
 * An API and the sites of tenants on one port, by the host of the request; a client may send ten
 * requests to the API at once, and then one each second. Try {@code curl -i -H 'Host: api.example'
 * http://127.0.0.1:8080/} and {@code -H 'Host: any.tenants.example'}; another host gets 421.
 */
public final class Hosts {
  private Hosts() {}

  static HttpServer start(int port) {
    Handler api = (request, response) -> response.text("The API\n");
    Handler limited = RateLimit.builder(api).requests(60, Duration.ofMinutes(1)).burst(10).build();
    Handler all =
        Routes.host("api.example", limited)
            .host(
                "*.tenants.example",
                (request, response) -> response.text("The site of " + request.host() + "\n"))
            .build();
    return Peregrine.builder().port(port).handler(all).start();
  }

  public static void main(String[] args) {
    start(8080);
  }
}
