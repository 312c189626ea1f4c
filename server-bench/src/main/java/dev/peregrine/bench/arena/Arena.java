package dev.peregrine.bench.arena;

import dev.peregrine.Peregrine;
import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.ContentType;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Parameters;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.WebSocket;
import dev.peregrine.http.WebSocketListener;
import dev.peregrine.http.coding.Compression;
import dev.peregrine.http.coding.ContentCoding;
import dev.peregrine.http.files.StaticFiles;
import dev.peregrine.http.route.Routes;
import dev.peregrine.http.websocket.WebSockets;
import dev.peregrine.protocol.HttpVersion;
import dev.peregrine.server.Endpoint;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.sockets.LoopSockets;
import dev.peregrine.server.tls.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The program that HttpArena measures. Its rules are public: what a response contains is computed
 * for each request, nothing is kept.
 *
 * <pre>
 * java -cp server-bench/target/benchmarks.jar dev.peregrine.bench.arena.Arena [DATA [CERTIFICATES]]
 * </pre>
 */
public final class Arena {
  private static final int PORT = 8080;
  private static final int HTTP1_TLS_PORT = 8081;
  private static final int HTTP2_PLAIN_PORT = 8082;
  private static final int TLS_PORT = 8443;
  private static final int NUMBER_BYTES_MAX = 20;
  private static final int GZIP_LEVEL = 1;
  private static final String CONNECTIONS = "64";
  private static final byte[] OK = "ok".getBytes(StandardCharsets.US_ASCII);

  private final List<Item> items;
  private final @Nullable ArenaDatabase database;

  Arena(List<Item> items, @Nullable ArenaDatabase database) {
    this.items = items;
    this.database = database;
  }

  /**
   * Serves until the process ends. The environment may name a database by {@code DATABASE_URL}, and
   * the size of a pool of connections by {@code DATABASE_MAX_CONN}.
   *
   * @param directories of the data set and the static files, and of the certificate; {@code /data}
   *     and {@code /certs} by default
   */
  public static void main(String... directories) throws IOException {
    Path data = Path.of(directories.length > 0 ? directories[0] : "/data");
    Path certificates = Path.of(directories.length > 1 ? directories[1] : "/certs");
    LoopSockets sockets = LoopSockets.create();
    Arena arena = new Arena(ArenaJson.items(data.resolve("dataset.json")), database());
    Tls tls = Tls.of(certificates.resolve("server.crt"), certificates.resolve("server.key"));
    HttpServer server =
        Peregrine.builder()
            .endpoint(Endpoint.tcp("0.0.0.0", PORT))
            .endpoint(Endpoint.tcp("0.0.0.0", HTTP1_TLS_PORT).with(tls))
            .endpoint(Endpoint.tcp("0.0.0.0", HTTP2_PLAIN_PORT))
            .endpoint(Endpoint.tcp("0.0.0.0", TLS_PORT).with(tls))
            .json(new ArenaJson())
            .with(sockets)
            .handler(onlyHttp2(ArenaCalls.beside(arena.routes(data.resolve("static")))))
            .start();
    System.out.println(server.addresses());
  }

  private static @Nullable ArenaDatabase database() {
    String url = System.getenv("DATABASE_URL");
    String connections = System.getenv().getOrDefault("DATABASE_MAX_CONN", CONNECTIONS);
    return url == null ? null : ArenaDatabase.of(url, Integer.parseInt(connections));
  }

  Handler routes(Path files) {
    Routes.Builder routes = Routes.builder();
    return (database == null ? routes : database.addTo(routes))
        .get("/baseline11", Arena::sum)
        .post("/baseline11", Arena::sumWithContent)
        .get("/baseline2", Arena::sum)
        .get("/pipeline", (request, response) -> text(response).send(OK))
        .get(
            "/json/{count}",
            Compression.builder(this::json).codings(ContentCoding.gzip(GZIP_LEVEL)).build())
        .post("/upload", (request, response) -> request.body().receive(new Counted(response)))
        .get("/ws", WebSockets.of(new Echo()))
        .mount("/static", StaticFiles.of(files))
        .build();
  }

  /** One port is for HTTP/2 alone, so that nobody measures another version there. */
  private static Handler onlyHttp2(Handler handler) {
    return (request, response) -> {
      if (request.version() != HttpVersion.HTTP_2
          && ((InetSocketAddress) request.localAddress()).getPort() == HTTP2_PLAIN_PORT) {
        response.status(505).text("this port is for HTTP/2");
      } else {
        handler.handle(request, response);
      }
    };
  }

  private static long sum(Request request) {
    Parameters query = request.queryParameters();
    return query.required("a", Long::parseLong) + query.required("b", Long::parseLong);
  }

  private static void sum(Request request, Response response) {
    response.text(Long.toString(sum(request)));
  }

  private static void sumWithContent(Request request, Response response) {
    long sum = sum(request);
    request
        .body()
        .receiveAll(
            NUMBER_BYTES_MAX,
            content ->
                response.text(
                    Long.toString(
                        sum
                            + Long.parseLong(
                                new String(content, StandardCharsets.US_ASCII).strip()))));
  }

  private void json(Request request, Response response) {
    int count = request.pathParameter("count", Integer::parseInt);
    int factor = request.queryParameters().required("m", Integer::parseInt);
    List<Item> page =
        items.subList(0, Math.clamp(count, 0, items.size())).stream()
            .map(item -> item.times(factor))
            .toList();
    response.json(new Item.Page(page, page.size()));
  }

  private static Response text(Response response) {
    return response.contentType(ContentType.TEXT_PLAIN);
  }

  /** Counts the bytes of content. */
  private static final class Counted implements BodyListener {
    private final Response response;
    private long bytes;

    Counted(Response response) {
      this.response = response;
    }

    @Override
    public void onData(Bytes data) {
      bytes += data.length();
    }

    @Override
    public void onEnd() {
      response.text(Long.toString(bytes));
    }
  }

  /** Sends each message back. */
  private static final class Echo implements WebSocketListener {
    @Override
    public void onText(WebSocket socket, Bytes text) {
      socket.sendText(text);
    }

    @Override
    public void onBinary(WebSocket socket, Bytes data) {
      socket.sendBinary(data);
    }
  }
}
