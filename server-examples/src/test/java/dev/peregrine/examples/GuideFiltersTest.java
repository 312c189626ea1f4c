package dev.peregrine.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.route.Routes;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Handlers around handlers, as docs/GUIDE.md shows them. See {@link GuideTextTest}. */
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
}
