package dev.peregrine.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Handlers;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RoutesIT {
  @RegisterExtension final Servers servers = new Servers();

  @ParameterizedTest
  @CsvSource({
    "/, root",
    "/users, users",
    "/users/, users slash",
    "/users/7, user 7",
    "/users/me, me",
    "/users/me/posts, posts of me",
    "/users/7/posts/8, post 8 of 7",
    "/users/7/drafts, 404",
    "/static/posts, static posts",
    "/static/other/posts, other of static",
    "/files/, file ''",
    "/files/a, file 'a'",
    "/files/a/b/, file 'a/b/'",
    "/files/special, special",
    "/files/special/x, file 'special/x'",
    "/files, 404",
    "/nothing, 404",
    "/Users, 404",
    "/user, 404",
    "/users2, 404",
  })
  void prefersTextToParametersAndThoseToTheTail(String path, String expected) {
    HttpServer server =
        servers.start(
            Routes.builder()
                .get("/files/*", (q, r) -> r.text("file '" + q.pathParameter("*") + "'"))
                .get("/{any}/other/posts", (q, r) -> r.text("other of " + q.pathParameter("any")))
                .get("/static/posts", says("static posts"))
                .get("/users/{id}", (q, r) -> r.text("user " + q.pathParameter("id")))
                .get("/users/{id}/posts", (q, r) -> r.text("posts of " + q.pathParameter("id")))
                .get(
                    "/users/{id}/posts/{post}",
                    (q, r) ->
                        r.text("post " + q.pathParameter("post") + " of " + q.pathParameter("id")))
                .get("/users/me", says("me"))
                .get("/users/", says("users slash"))
                .get("/users", says("users"))
                .get("/files/special", says("special"))
                .get("/", says("root"))
                .build());

    RawResponse answer = servers.connect(server).get(path).read();

    assertThat(answer.status() == 200 ? answer.text() : "" + answer.status()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "/data/a%2Fb, a/b",
    "/data/a%2fb%5Cc, a/b\\c",
    "/data/%2F, /",
    "/data/a;b=c, a;b=c",
    "/data/..;, ..;",
    "/data/..., ...",
    "/data/%2e%2ex, ..x",
    "/data/a+b%20c, a+b c",
    "/data/%E2%82%AC%F0%9F%A6%85, €🦅",
    "/data/%25%32%46, %2F",
    "/data/%252e%252e, %2e%2e",
    "/%64at%61/x, x",
    "/data/x?a=//../%41, x",
  })
  void readsAParameterDecodedOnce(String target, String expected) {
    HttpServer server = servers.start(data());

    RawResponse answer = servers.connect(server).get(target).read();

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/data/..",
        "/data/.",
        "/data/%2e%2E",
        "/data/%2e",
        "/data/.%2e",
        "/../data/x",
        "/data/../x",
        "//data/x",
        "/data//x",
        "/data/x//",
        "//",
        "/data/%00",
        "/data/a%00b",
        "/data/%FF",
        "/data/%C0%AF",
        "/data/%C0%80",
        "/data/%E2%82",
        "/data/%ED%A0%80",
        "/data/%F4%90%80%80",
        "/data/%80",
        "/data/%E2/%82%AC",
        "/nothing/..",
        "/nothing/%ff",
        "/data/%2e%2e/%2e%2e",
      })
  void rejectsInvalidPaths(String target) {
    HttpServer server = servers.start(data());

    assertThat(servers.connect(server).get(target).read().status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "/tail/a%20b/c, 200, a b/c",
    "/tail/a%2Fb, 400, the path has an encoded slash",
    "/tail/a/%2f, 400, the path has an encoded slash",
  })
  void neverTakesAnEncodedSlashForASeparatorOfTheTail(String target, int status, String text) {
    HttpServer server = servers.start(data());

    RawResponse answer = servers.connect(server).get(target).read();

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.text().strip()).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/admin/users",
        "/%61dmin/users",
        "/admin/%75sers",
        "/%61%64%6d%69%6e/users",
        "http://test/admin/users",
        "http://test/%61dmin/users",
      })
  void findsTheSameRouteForEverySpellingOfItsPath(String target) {
    assertThat(routeTo(target)).isEqualTo("guarded");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/admin;x/users", "/ADMIN/users", "/admin%2Fusers", "/admin%20/users"})
  void takesNoOtherSpellingForARoute(String target) {
    assertThat(routeTo(target)).isEqualTo("open");
  }

  /** Returns which of two routes handles a target; each route answers with its name. */
  private String routeTo(String target) {
    HttpServer server =
        servers.start(
            Routes.builder().get("/admin/users", says("guarded")).get("/*", says("open")).build());
    return servers.connect(server).get(target).read().text();
  }

  @Test
  void matchesTextOutsideAsciiAsItIsEncoded() {
    HttpServer server = servers.start(Routes.builder().get("/über uns", says("us")).build());

    assertThat(servers.connect(server).get("/%C3%BCber%20uns").read().text()).isEqualTo("us");
    assertThat(servers.connect(server).get("/%c3%bcber%20uns").read().text()).isEqualTo("us");
  }

  @Test
  void answersMethodsThatThePathHasNot() {
    HttpServer server =
        servers.start(
            Routes.builder()
                .post("/users", says("post"))
                .get("/users", says("get"))
                .route("PURGE", "/users", says("purge"))
                .route("OTHER", "/users", says("other"))
                .delete("/users/{id}", says("delete"))
                .build());
    RawClient client = servers.connect(server);

    RawResponse put = client.send(request("PUT", "/users")).read();
    assertThat(put.status()).isEqualTo(405);
    assertThat(put.header("Allow")).isEqualTo("GET, HEAD, POST, OPTIONS, OTHER, PURGE");
    RawResponse get = client.get("/users/7").read();
    assertThat(get.status()).isEqualTo(405);
    assertThat(get.header("Allow")).isEqualTo("DELETE, OPTIONS");
    assertThat(client.send(request("BREW", "/users")).read().status()).isEqualTo(405);
    assertThat(client.send(request("get", "/users")).read().status()).isEqualTo(405);
    assertThat(client.send(request("PURGE", "/users")).read().text()).isEqualTo("purge");
    assertThat(client.send(request("OTHER", "/users")).read().text()).isEqualTo("other");
    assertThat(client.send(request("POST", "/users")).read().text()).isEqualTo("post");
  }

  @Test
  void answersHeadByTheHandlerForGet() {
    HttpServer server =
        servers.start(
            Routes.builder()
                .get("/implied", says("implied"))
                .get("/own", says("own"))
                .head("/own", (request, response) -> response.header("X", "y").send())
                .build());
    RawClient client = servers.connect(server);

    RawResponse implied = client.send(Requests.head("/implied")).read("HEAD");
    assertThat(implied.status()).isEqualTo(200);
    assertThat(implied.header("Content-Length")).isEqualTo("7");
    assertThat(client.send(Requests.head("/own")).read("HEAD").header("X")).isEqualTo("y");
    assertThat(client.send(Requests.head("/none")).read("HEAD").status()).isEqualTo(404);
  }

  @Test
  void answersOptions() {
    HttpServer server =
        servers.start(
            Routes.builder()
                .get("/users", says("get"))
                .put("/users/{id}", says("put"))
                .options("/own", says("own"))
                .build());
    RawClient client = servers.connect(server);

    RawResponse users = client.send(request("OPTIONS", "/users")).read();
    assertThat(users.status()).isEqualTo(204);
    assertThat(users.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
    assertThat(client.send(request("OPTIONS", "/own")).read().text()).isEqualTo("own");
    assertThat(client.send(request("OPTIONS", "/none")).read().status()).isEqualTo(404);
    RawResponse all = client.send(request("OPTIONS", "*")).read();
    assertThat(all.status()).isEqualTo(204);
    assertThat(all.header("Allow")).isEqualTo("GET, HEAD, PUT, OPTIONS");
  }

  /** A route that lacks the method doesn't hide a less specific one that has it. */
  @ParameterizedTest
  @CsvSource({
    "GET, /files/a, files",
    "HEAD, /files/a, files",
    "PUT, /files/a, put a",
    "DELETE, /files/a, '405 GET, HEAD, PUT, OPTIONS'",
    "PURGE, /files/a, '405 GET, HEAD, PUT, OPTIONS'",
    "OPTIONS, /files/a, '204 GET, HEAD, PUT, OPTIONS'",
    "GET, /files/a/b, files",
    "PUT, /files/a/b, '405 GET, HEAD, OPTIONS'",
    "GET, /files/special, special",
    "PUT, /files/special, put special",
    "PATCH, /files/special, '405 GET, HEAD, PUT, OPTIONS'",
    "POST, /any/named, named",
    "GET, /any/named, any",
    "BREW, /any/named, any",
    "OPTIONS, /any/named, '204 POST, OPTIONS'",
    "OPTIONS, /any/other, any",
    "OPTIONS, /cors/x, preflight",
    "GET, /cors/x, cors x",
    "OPTIONS, /cors/any, any of cors",
    "OPTIONS, /nothing, 404",
    "GET, /nothing, 404",
  })
  void checksMethodsBeforeItChoosesATemplate(String method, String path, String expected) {
    Handler files = new GetOnly(says("files"));
    HttpServer server =
        servers.start(
            Routes.builder()
                .put("/files/{name}", (q, r) -> r.text("put " + q.pathParameter("name")))
                .mount("/files", Compression.of(files))
                .get("/files/special", says("special"))
                .any("/any/*", says("any"))
                .post("/any/named", says("named"))
                .get("/cors/{x}", (q, r) -> r.text("cors " + q.pathParameter("x")))
                .any("/cors/any", says("any of cors"))
                .options("/cors/*", says("preflight"))
                .build());
    RawClient client = servers.connect(server);

    RawResponse answer = client.send(request(method, path)).read(method);

    String allow = answer.header("Allow");
    assertThat(
            answer.status() == 200
                ? answer.text()
                : answer.status() + (allow == null ? "" : " " + allow))
        .isEqualTo(method.equals("HEAD") ? "" : expected);
  }

  private record GetOnly(Handler handler) implements Handler {
    @Override
    public void handle(Request request, Response response) throws Exception {
      handler.handle(request, response);
    }

    @Override
    public Set<String> methods() {
      return Set.of("GET");
    }
  }

  @Test
  void answersEveryMethodWithoutItsOwnRoute() {
    HttpServer server =
        servers.start(
            Routes.builder()
                .any("/x", (request, response) -> response.text("any " + request.methodName()))
                .get("/x", says("get"))
                .build());
    RawClient client = servers.connect(server);

    assertThat(client.get("/x").read().text()).isEqualTo("get");
    assertThat(client.send(request("POST", "/x")).read().text()).isEqualTo("any POST");
    assertThat(client.send(request("BREW", "/x")).read().text()).isEqualTo("any BREW");
    assertThat(client.send(request("OPTIONS", "/x")).read().text()).isEqualTo("any OPTIONS");
    RawResponse head = client.send(Requests.head("/x")).read("HEAD");
    assertThat(head.header("Content-Length")).isEqualTo("3");
  }

  @ParameterizedTest
  @CsvSource({
    "/tenants/acme, index of acme",
    "/tenants/acme/, index of acme",
    "/tenants/acme/users/7, user 7 of acme",
    "/tenants/acme/other, 404",
    "/tenants/acme/files, 'files of acme: '",
    "/tenants/acme/files/, 'files of acme: '",
    "/tenants/acme/files/a/b, files of acme: a/b",
    "/tenants/acme/..%2ffiles, 404",
    "/tenants/, 404",
    "/tenants, 404",
  })
  void leavesThePathAfterAPrefixToTheMountedHandler(String path, String expected) {
    Routes inner =
        Routes.builder()
            .get("/", (q, r) -> r.text("index of " + q.pathParameter("tenant")))
            .get(
                "/users/{id}",
                (q, r) ->
                    r.text("user " + q.pathParameter("id") + " of " + q.pathParameter("tenant")))
            .mount(
                "/files",
                (q, r) ->
                    r.text("files of " + q.pathParameter("tenant") + ": " + q.pathParameter("*")))
            .build();
    Handler guarded = (request, response) -> inner.handle(request, response);
    HttpServer server = servers.start(Routes.builder().mount("/tenants/{tenant}", guarded).build());

    RawResponse answer = servers.connect(server).get(path).read();

    assertThat(answer.status() == 200 ? answer.text() : "" + answer.status()).isEqualTo(expected);
  }

  @Test
  void keepsParametersWhileTheRequestIsOnAnotherThread() {
    HttpServer server =
        servers.start(
            Routes.builder()
                .get(
                    "/users/{id}",
                    Handlers.blocking((q, r) -> r.text("user " + q.pathParameter("id"))))
                .build());
    RawClient client = servers.connect(server);

    client.send(Requests.join(Requests.get("/users/1"), Requests.get("/users/2")));

    assertThat(client.read().text()).isEqualTo("user 1");
    assertThat(client.read().text()).isEqualTo("user 2");
  }

  @Test
  void forgetsTheParametersOfTheRequestBefore() {
    Handler missing =
        (request, response) -> {
          try {
            response.text(request.pathParameter("id"));
          } catch (IllegalArgumentException none) {
            response.text("none");
          }
        };
    HttpServer server =
        servers.start(Routes.builder().get("/a/{id}", missing).get("/b/{x}", missing).build());
    RawClient client = servers.connect(server);

    assertThat(client.get("/a/1").read().text()).isEqualTo("1");
    assertThat(client.get("/b/2").read().text()).isEqualTo("none");
    assertThat(client.get("/a/3").read().text()).isEqualTo("3");
  }

  @Test
  void findsHandlersWithoutAllocation() {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    AtomicLong found = new AtomicLong();
    AtomicLong least = new AtomicLong(Long.MAX_VALUE);
    Handler handler =
        (request, response) -> {
          found.setPlain(threads.getCurrentThreadAllocatedBytes());
          response.send();
        };
    Routes routes =
        Routes.builder()
            .get("/users/{id}/posts/{post}", handler)
            .get("/users/me/posts", says("me"))
            .mount("/x", Routes.builder().get("/y/*", handler).build())
            .build();
    HttpServer server =
        servers.start(
            (request, response) -> {
              long before = threads.getCurrentThreadAllocatedBytes();
              routes.handle(request, response);
              least.setPlain(Math.min(least.getPlain(), found.getPlain() - before));
            });
    RawClient client = servers.connect(server);
    byte[] both =
        Requests.join(Requests.get("/%75sers/me/posts/%C3%BC"), Requests.get("/x/y/z/a%20b"));

    for (int i = 0; i < 5_000; i++) {
      client.send(both);
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(client.read().status()).isEqualTo(200);
    }

    assertThat(least.get()).isZero();
  }

  private static Routes data() {
    return Routes.builder()
        .get("/data/{value}", (q, r) -> r.text(q.pathParameter("value")))
        .get("/tail/*", (q, r) -> r.text(q.pathParameter("*")))
        .build();
  }

  private static Handler says(String text) {
    return (request, response) -> response.text(text);
  }

  private static byte[] request(String method, String target) {
    return Requests.lines(method + " " + target + " HTTP/1.1", "Host: test");
  }
}
