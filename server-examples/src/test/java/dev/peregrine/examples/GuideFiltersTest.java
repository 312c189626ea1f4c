package dev.peregrine.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.AttributeKey;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.filter.BasicAuthentication;
import dev.peregrine.http.filter.BearerAuthentication;
import dev.peregrine.http.filter.ConcurrencyLimit;
import dev.peregrine.http.filter.Cors;
import dev.peregrine.http.filter.RateLimit;
import dev.peregrine.http.filter.RequestId;
import dev.peregrine.http.filter.RequestTimeout;
import dev.peregrine.http.filter.Secrets;
import dev.peregrine.http.filter.SecurityHeaders;
import dev.peregrine.http.filter.Traceparent;
import dev.peregrine.http.route.Routes;
import dev.peregrine.proxy.TrustedPeers;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Handlers around handlers, as docs/guide/files-and-filters.md shows them. See {@link
 * GuideTextTest}.
 */
class GuideFiltersTest extends GuideCase {
  @Test
  void addsFieldsToEveryResponse() throws Exception {
    Handler app = Routes.builder().get("/", (request, response) -> response.text("in")).build();
    // snippet: filter
    PreparedFields fields =
        PreparedFields.of("X-Content-Type-Options", "nosniff", "X-Frame-Options", "DENY");
    Handler hardened = (request, response) -> app.handle(request, response.addHeaders(fields));
    // end
    Client client = serve(hardened);

    for (String path : new String[] {"/", "/missing"}) {
      assertThat(client.get(path).headers().firstValue("X-Frame-Options")).contains("DENY");
    }
  }

  @Test
  void rejectsWithoutACredential() throws Exception {
    Routes routes = Routes.builder().get("/", (request, response) -> response.text("in")).build();
    // snippet: nested
    Handler app = Compression.of(new RequireToken("secret", routes));
    // end
    Client client = serve(app);

    java.net.http.HttpResponse<String> refused = client.get("/");
    assertThat(refused.statusCode()).isEqualTo(401);
    assertThat(refused.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(client.getAs("/", "Bearer secret").body()).isEqualTo("in");
    assertThat(client.getAs("/", "Bearer secre").statusCode()).isEqualTo(401);
  }

  // snippet: token
  record RequireToken(String token, Handler next) implements Handler {
    @Override
    public void handle(Request request, Response response) throws Exception {
      String given = Objects.requireNonNullElse(request.header("Authorization"), "");
      if (!MessageDigest.isEqual(given.getBytes(UTF_8), ("Bearer " + token).getBytes(UTF_8))) {
        throw new HttpException(401, "a token is required").header("WWW-Authenticate", "Bearer");
      }
      next.handle(request, response);
    }

    @Override
    public Set<String> methods() {
      return next.methods();
    }
  }

  // end

  private static final Handler IN = (request, response) -> response.text("in");

  @Test
  void limitsConcurrencyByLatency() throws Exception {
    Handler query = IN;
    // snippet: adaptive-limit
    Handler search =
        ConcurrencyLimit.builder(Handlers.blocking(query))
            .latencyMax(Duration.ofMillis(50)) // a query that is alone takes 20
            .concurrentMin(4)
            .concurrentMax(200)
            .queueMax(50)
            .build();
    // end

    assertThat(serve(search).get("/").body()).isEqualTo("in");
  }

  @Test
  void limitsTheRateOfAClient() throws Exception {
    Handler routes = IN;
    // snippet: rate-limit
    Handler limited =
        RateLimit.builder(routes)
            .requests(100, Duration.ofMinutes(1))
            .burst(20) // at once, after a pause
            .by(request -> request.attribute(USER)) // null: by address
            .build();
    // end
    Client client = serve(limited);

    int served = 0;
    var rejected = client.get("/");
    while (rejected.statusCode() == 200) {
      served++; // a slow machine gets a token each 0.6 seconds meanwhile
      rejected = client.get("/");
    }
    assertThat(served).isGreaterThanOrEqualTo(20);
    assertThat(rejected.statusCode()).isEqualTo(429);
    assertThat(rejected.headers().firstValue("Retry-After")).contains("1");
  }

  @Test
  void letsPagesOfOneOriginRead() throws Exception {
    Handler routes = IN;
    // snippet: cors
    Handler api =
        Cors.builder(routes)
            .origins("https://app.example.com", "http://localhost:5173")
            .methods("PUT", "DELETE")
            .headers("Content-Type", "Authorization")
            .maxAge(Duration.ofHours(1))
            .build();
    // end
    Client client = serve(api);

    var allowed = client.preflight("/", "https://app.example.com");
    assertThat(allowed.statusCode()).isEqualTo(204);
    assertThat(allowed.headers().firstValue("Access-Control-Allow-Origin"))
        .contains("https://app.example.com");
    assertThat(allowed.headers().firstValue("Access-Control-Max-Age")).contains("3600");
    assertThat(client.preflight("/", "https://other.example.com").statusCode()).isEqualTo(403);
  }

  @Test
  void addsFieldsForBrowsers() throws Exception {
    Handler routes = IN;
    // snippet: security-headers
    Handler site =
        SecurityHeaders.builder(routes)
            .field("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'")
            .strictTransportSecurity(Duration.ofDays(30), false)
            .build();
    // end

    assertThat(serve(site).get("/").headers().firstValue("Content-Security-Policy"))
        .contains("default-src 'self'; frame-ancestors 'none'");
  }

  @Test
  void givesEachRequestAnId() throws Exception {
    // snippet: request-id
    Handler routes =
        Routes.builder()
            .get(
                "/",
                (request, response) -> {
                  String id = request.attribute(RequestId.KEY);
                  Traceparent caller = Traceparent.of(request); // null without a valid one
                  response.text(id + " of " + (caller == null ? "nobody" : caller.traceId()));
                })
            .build();
    Handler app = RequestId.trusting(TrustedPeers.of("10.0.0.0/8"), routes);
    // end

    java.net.http.HttpResponse<String> answer = serve(app).get("/");
    assertThat(answer.headers().firstValue("X-Request-ID").orElseThrow() + " of nobody")
        .isEqualTo(answer.body());
  }

  // snippet: authentication-key
  static final AttributeKey<String> USER = AttributeKey.logged("user", name -> name);

  // end

  @Test
  void letsUsersPass() throws Exception {
    String secret = "5ecret";
    // snippet: authentication
    Handler show = (request, response) -> response.text("Hello, " + request.attribute(USER));
    Handler api =
        BearerAuthentication.of(
            "api", USER, token -> Secrets.areEqual(token, secret) ? "robot" : null, show);
    Handler admin =
        BasicAuthentication.of(
            "admin",
            USER,
            (name, password) -> Secrets.areEqual(password, secret) ? name : null,
            show);
    // end

    assertThat(serve(api).getAs("/", "Bearer 5ecret").body()).isEqualTo("Hello, robot");
    assertThat(serve(api).getAs("/", "Bearer guess").statusCode()).isEqualTo(401);
    assertThat(serve(admin).getAs("/", "Basic YW5uOjVlY3JldA==").body()).isEqualTo("Hello, ann");
    assertThat(serve(admin).get("/").statusCode()).isEqualTo(401);
  }

  @Test
  void limitsTimeAndConcurrency() throws Exception {
    Handler report = (request, response) -> response.text("report");
    // snippet: overload
    Handler reports =
        ConcurrencyLimit.builder(
                RequestTimeout.of(Duration.ofSeconds(10), Handlers.blocking(report)))
            .concurrentMax(20) // connections to the database
            .queueMax(100)
            .queueTime(Duration.ofSeconds(2))
            .build();
    // end

    assertThat(serve(reports).get("/").body()).isEqualTo("report");
  }

  @Test
  void putsAllFiltersAroundAHandler() throws Exception {
    String secret = "5ecret";
    Handler query = (request, response) -> response.text("for " + request.attribute(USER));
    // snippet: filter-stack
    Handler report =
        ConcurrencyLimit.builder(
                RequestTimeout.of(Duration.ofSeconds(10), Handlers.blocking(query)))
            .concurrentMax(20)
            .build();
    Handler routes =
        Routes.builder()
            .get(
                "/report",
                BearerAuthentication.of(
                    "api", USER, token -> Secrets.areEqual(token, secret) ? "robot" : null, report))
            .build();
    Handler api =
        Cors.builder(routes)
            .origins("https://app.example.com")
            .headers("Authorization")
            .exposedHeaders("X-Request-ID")
            .build();
    Handler app = RequestId.of(SecurityHeaders.builder(api).build());
    // end
    Client client = serve(app);

    var answer = client.getAs("/report", "Bearer 5ecret");
    assertThat(answer.body()).isEqualTo("for robot");
    var preflight = client.preflight("/report", "https://app.example.com");
    assertThat(preflight.statusCode()).isEqualTo(204);
    var refused = client.get("/report");
    assertThat(refused.statusCode()).isEqualTo(401);
    for (var each : List.of(answer, preflight, refused)) {
      assertThat(each.headers().firstValue("X-Request-ID")).isPresent();
      assertThat(each.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    }
  }
}
