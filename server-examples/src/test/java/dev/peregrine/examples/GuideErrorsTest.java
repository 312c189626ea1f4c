package dev.peregrine.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.Peregrine;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.ErrorContent;
import dev.peregrine.http.ErrorRenderer;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpError;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Negotiation;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.route.Routes;
import dev.peregrine.server.HttpServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Errors and typed parameters, as docs/guide shows them. See {@link GuideTextTest}. */
class GuideErrorsTest extends GuideCase {
  @Test
  void failsWithAStatus() throws Exception {
    // snippet: fail
    Handler account =
        (request, response) -> {
          if (request.header("Authorization") == null) {
            throw new HttpException(401, "log in first")
                .header("WWW-Authenticate", "Basic realm=\"bank\"");
          }
          try {
            response.text(balance());
          } catch (IOException failure) {
            throw new HttpException(503, "try again", failure).header("Retry-After", "5");
          }
        };
    // end
    HttpResponse<String> answer = serve(account).get("/");

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).isEqualTo("log in first\n");
    assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Basic realm=\"bank\"");
  }

  private static String balance() throws IOException {
    throw new IOException("out of money");
  }

  @Test
  void writesProblemDetails() throws Exception {
    Routes handler = Routes.builder().get("/", (request, response) -> response.send()).build();
    // snippet: problem
    HttpServer server =
        Peregrine.builder().port(0).errors(ErrorRenderer.PROBLEM_JSON).handler(handler).start();
    // end
    HttpResponse<String> answer = open(new Client(open(server).port())).get("/nothing");

    assertThat(answer.body()).isEqualTo("{\"title\":\"Not Found\",\"status\":404}\n");
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
  }

  @Test
  void writesAnErrorPage() throws Exception {
    Routes handler = Routes.builder().get("/", (request, response) -> response.send()).build();
    // snippet: renderer
    PreparedFields vary = PreparedFields.of("Vary", "Accept");
    ErrorRenderer errors =
        error -> {
          Request request = error.request(); // null if the bytes were not a request
          String type = "application/problem+json";
          if (request == null || type.equals(Negotiation.mediaType(request, type, "text/html"))) {
            return ErrorContent.problemJson(error).withHeaders(vary);
          }
          String page = "<h1>" + error.title() + "</h1>"; // escape the detail before you add it
          return ErrorContent.of(ContentType.TEXT_HTML_UTF_8, page).withHeaders(vary);
        };
    // end
    HttpServer server = Peregrine.builder().port(0).errors(errors).handler(handler).start();
    Client client = open(new Client(open(server).port()));

    assertThat(client.get("/nothing").body()).startsWith("{\"title\":\"Not Found\"");
    HttpResponse<String> page = client.get("/nothing", "text/html");
    assertThat(page.body()).isEqualTo("<h1>Not Found</h1>");
    assertThat(page.headers().firstValue("Vary")).contains("Accept");
    ErrorContent ofBytes = errors.render(new HttpError(400, "Bad Request", null, null, null));
    assertThat(ofBytes.type()).hasToString("application/problem+json");
  }

  @Test
  void parsesParameters() throws Exception {
    // snippet: parameters
    Handler orders =
        (request, response) -> {
          UUID user = request.pathParameter("user", UUID::fromString);
          Integer page = request.queryParameter("page", Integer::valueOf); // null if it is absent
          int size = request.queryParameters().required("size", Integer::valueOf);
          response.text(user + ", page " + page + " of " + size);
        };
    // end
    Client client = serve(Routes.builder().get("/{user}/orders", orders).build());
    String path = "/123e4567-e89b-12d3-a456-426614174000/orders";

    assertThat(client.get(path + "?size=10").body()).endsWith(", page null of 10");
    assertThat(client.get(path).body()).isEqualTo("parameter size is missing\n");
    HttpResponse<String> wrong = client.get(path + "?size=10&page=one");
    assertThat(wrong.statusCode()).isEqualTo(400);
    assertThat(wrong.body()).isEqualTo("the value of parameter page is not valid\n");
  }
}
