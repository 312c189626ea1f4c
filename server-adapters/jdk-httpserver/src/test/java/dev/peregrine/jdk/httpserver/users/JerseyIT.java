package dev.peregrine.jdk.httpserver.users;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.glassfish.jersey.jackson.JacksonFeature;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jersey, the implementation of Jakarta REST, in its container for this API. */
@Timeout(120)
class JerseyIT {
  private static final String JSON = MediaType.APPLICATION_JSON;

  private final Gate gate = new Gate();
  private final HttpServer server =
      JdkHttpServerFactory.createHttpServer(
          URI.create("http://127.0.0.1:0/api"),
          new ResourceConfig(JacksonFeature.class, MissingMapper.class)
              .registerInstances(new Things(gate)));
  private final int port = server.getAddress().getPort();
  private final Client client = Client.http(port);
  private boolean stopped; // Jersey fails if it is stopped twice

  @BeforeEach
  void isPeregrine() throws Exception {
    Provider.requirePeregrine();
    Provider.requirePeregrine(port);
  }

  @AfterEach
  void stop() {
    gate.open.countDown();
    client.close();
    if (!stopped) {
      server.stop(0);
    }
  }

  @Test
  void takesAndReturnsJson() throws Exception {
    HttpResponse<String> created =
        client.post("/api/things", JSON, "{\"name\":\"ä b\",\"size\":7}");

    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(created.headers().firstValue("Location"))
        .contains("http://127.0.0.1:" + port + "/api/things/%C3%A4%20b");
    assertThat(created.headers().firstValue("Content-Type")).contains(JSON);
    assertThat(created.body()).isEqualTo("{\"name\":\"ä b\",\"size\":8}");
  }

  @Test
  void decodesPathAndQuery() throws Exception {
    HttpResponse<String> found = client.get("/api/things/%C3%A4%2Fb?by=%26+1");

    assertThat(found.statusCode()).isEqualTo(200);
    assertThat(found.body()).isEqualTo("{\"name\":\"ä/b& 1\",\"size\":0}");
    assertThat(found.headers().allValues("Content-Length")).hasSize(1);
  }

  @Test
  void answersHeadWithTheHeadersOfGet() throws Exception {
    HttpResponse<String> get = client.get("/api/things/a");
    HttpResponse<String> head = client.method("HEAD", "/api/things/a");

    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("Content-Type")).contains(JSON);
    assertThat(head.headers().allValues("Content-Length"))
        .isIn(List.of(), get.headers().allValues("Content-Length"));
    assertThat(client.get("/api/things/a").body()).isEqualTo(get.body());
  }

  @Test
  void mapsExceptionsToResponses() throws Exception {
    HttpResponse<String> missing = client.get("/api/things/missing");

    assertThat(missing.statusCode()).isEqualTo(410);
    assertThat(missing.body()).isEqualTo("{\"name\":\"missing is gone\",\"size\":-1}");
    assertThat(client.post("/api/things", JSON, "{").statusCode()).isEqualTo(400);
  }

  @Test
  void answersWithoutContent() throws Exception {
    HttpResponse<String> deleted = client.method("DELETE", "/api/things/a");

    assertThat(deleted.statusCode()).isEqualTo(204);
    assertThat(deleted.headers().firstValue("Content-Length")).isEmpty();
    assertThat(deleted.headers().firstValue("Transfer-Encoding")).isEmpty();
    assertThat(client.get("/api/none").statusCode()).isEqualTo(404);
    HttpResponse<String> put = client.method("PUT", "/api/things");
    assertThat(put.statusCode()).isEqualTo(405);
    assertThat(put.headers().firstValue("Allow").orElse("")).contains("POST");
    assertThat(client.get("/elsewhere").statusCode()).isEqualTo(404);
  }

  @Test
  void sendsWhatIsFlushedWhileTheResourceGoesOn() throws Exception {
    HttpResponse<InputStream> response =
        client.send(client.request("/api/things/stream"), BodyHandlers.ofInputStream());

    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      assertThat(lines.readLine()).isEqualTo(Things.FIRST);
      gate.open.countDown();
      assertThat(lines.readLine()).isEqualTo(Things.LARGE);
      assertThat(lines.readLine()).isNull();
    }
  }

  @Test
  void servesTheConnectionOnAfterContentThatTheResourceIgnores() throws Exception {
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> response =
          client.send(
              client
                  .request("/api/things/ignore")
                  .POST(BodyPublishers.ofByteArray(new byte[50_000])));
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("ignored");
    }
  }

  /** Its container cannot suspend, and throws after it has sent the error. */
  @Test
  void deliversTheErrorOfAMethodThatSuspends() throws Exception {
    assertThat(client.get("/api/things/suspend").statusCode()).isEqualTo(500);
    assertThat(client.get("/api/things/a").statusCode()).isEqualTo(200);
  }

  @Test
  void servesManyAtATime() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      responses.add(client.getLater("/api/things/" + i));
    }
    for (int i = 0; i < responses.size(); i++) {
      assertThat(responses.get(i).get(120, SECONDS).body())
          .isEqualTo("{\"name\":\"%d\",\"size\":0}".formatted(i));
    }
  }

  @Test
  void stopsWhenTheRequestsUnderWayAreAnswered() throws Exception {
    CompletableFuture<HttpResponse<String>> response = client.getLater("/api/things/slow");
    assertThat(gate.entered.await(120, SECONDS)).isTrue();
    stopped = true;
    CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> server.stop(600));
    Client.expectRefused(port);
    assertThat(stop).isNotDone();

    gate.open.countDown();

    assertThat(response.get(120, SECONDS).body()).isEqualTo("slow");
    assertThat(stop).succeedsWithin(Client.PATIENCE);
  }

  /** Tells when a resource is called, and holds it. */
  record Gate(CountDownLatch entered, CountDownLatch open) {
    Gate() {
      this(new CountDownLatch(1), new CountDownLatch(1));
    }

    void pass() {
      entered.countDown();
      try {
        assertThat(open.await(120, SECONDS)).isTrue();
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
    }
  }

  /** What the resource takes and returns. */
  public record Thing(String name, int size) {}

  /** What the resource throws. */
  static final class MissingException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MissingException(String message) {
      super(message);
    }
  }

  /** Answers for what the resource throws. */
  public static final class MissingMapper implements ExceptionMapper<MissingException> {
    @Override
    public Response toResponse(MissingException missing) {
      return Response.status(Response.Status.GONE)
          .type(JSON)
          .entity(new Thing(missing.getMessage() + " is gone", -1))
          .build();
    }
  }

  /** The resource. */
  @Path("things")
  @Produces(JSON)
  public static final class Things {
    static final String FIRST = "x".repeat(10_000); // more than Jersey keeps back
    static final String LARGE = "y".repeat(300_000);

    private final Gate gate;

    Things(Gate gate) {
      this.gate = gate;
    }

    @POST
    @Consumes(JSON)
    public Response create(Thing thing, @Context UriInfo uri) {
      return Response.created(uri.getAbsolutePathBuilder().path(thing.name()).build())
          .entity(new Thing(thing.name(), thing.size() + 1))
          .build();
    }

    @GET
    @Path("{name}")
    public Thing find(@PathParam("name") String name, @QueryParam("by") String by) {
      if (name.equals("missing")) {
        throw new MissingException(name);
      }
      return new Thing(by == null ? name : name + by, 0);
    }

    @DELETE
    @Path("{name}")
    public void delete(@PathParam("name") String name) {}

    @GET
    @Path("stream")
    @Produces(MediaType.TEXT_PLAIN)
    public StreamingOutput stream() {
      return output -> {
        output.write((FIRST + "\n").getBytes(StandardCharsets.UTF_8));
        output.flush();
        gate.pass();
        output.write((LARGE + "\n").getBytes(StandardCharsets.UTF_8));
      };
    }

    @POST
    @Path("ignore")
    @Produces(MediaType.TEXT_PLAIN)
    public String ignore(InputStream content) {
      return "ignored";
    }

    @GET
    @Path("suspend")
    public void suspend(@Suspended AsyncResponse response) {
      response.resume("never");
    }

    @GET
    @Path("slow")
    @Produces(MediaType.TEXT_PLAIN)
    public String slow() {
      gate.pass();
      return "slow";
    }
  }
}
