import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.Map;

/**
 * Vert.x with its reactive driver for the workloads of ../../../../blocking that ask the database: one verticle on one event loop.
 * Arguments: its port, the database's port, and {@code pool} (a request has a connection for itself) or {@code pipelined} (at most
 * four share one; with the default of 256 all would share a single one).
 */
public final class VertxPgPeer extends VerticleBase {
  private static final int ITEMS = 1000, REQUESTS_PER_MISS = 10, CACHE_CONNECTIONS = 10, SELECT_CONNECTIONS = 16, DEPTH = 4;
  private static final String SELECT = "SELECT text FROM item WHERE id = $1";
  private static final Buffer HELLO = Buffer.buffer("Hello, World!");
  private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain");

  private final int port, database;
  private final boolean pipelined;
  private final Map<Integer, Buffer> cached = new HashMap<>();
  private SqlClient items, cachedItems;
  private CharSequence date;
  private int requests, selected;

  private VertxPgPeer(String[] a) {
    port = Integer.parseInt(a[0]);
    database = Integer.parseInt(a[1]);
    pipelined = a[2].equals("pipelined");
  }

  public static void main(String[] a) {
    Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1)).deployVerticle(new VertxPgPeer(a)).onFailure(t -> { t.printStackTrace(); System.exit(1); });
  }

  @Override public Future<?> start() {
    items = open(SELECT_CONNECTIONS);
    cachedItems = open(CACHE_CONNECTIONS);
    date = HttpHeaders.createOptimized(Dates.now());
    vertx.setPeriodic(1000, x -> date = HttpHeaders.createOptimized(Dates.now()));
    return vertx.createHttpServer(new HttpServerOptions().setAcceptBacklog(4096)).requestHandler(this::handle).listen(port, "127.0.0.1");
  }

  private SqlClient open(int connections) {
    PgConnectOptions options = new PgConnectOptions().setHost("127.0.0.1").setPort(database).setUser("bench").setDatabase("postgres").setCachePreparedStatements(true).setPipeliningLimit(pipelined ? DEPTH : 1);
    PoolOptions size = new PoolOptions().setMaxSize(connections);
    return pipelined ? PgBuilder.client().with(size).connectingTo(options).using(vertx).build() : PgBuilder.pool().with(size).connectingTo(options).using(vertx).build();
  }

  private void handle(HttpServerRequest request) {
    switch (request.path()) {
      case "/plain" -> answer(request, HELLO);
      case "/select" -> query(items, Math.floorMod(++selected, ITEMS)).onComplete(text -> answer(request, text), failure -> fail(request, failure));
      case "/jdbc" -> nineInTen(request);
      default -> request.response().setStatusCode(404).end();
    }
  }

  private void nineInTen(HttpServerRequest request) {
    int number = ++requests, id = Math.floorMod(number, ITEMS);
    Buffer known = number % REQUESTS_PER_MISS == 0 ? null : cached.get(id);
    if (known != null) {
      answer(request, known);
      return;
    }
    query(cachedItems, id).onComplete(text -> { cached.put(id, text); answer(request, text); }, failure -> fail(request, failure));
  }

  private static Future<Buffer> query(SqlClient client, int id) {
    return client.preparedQuery(SELECT).execute(Tuple.of(id)).map(rows -> Buffer.buffer(rows.iterator().next().getString(0)));
  }

  private void answer(HttpServerRequest request, Buffer content) {
    request.response().putHeader(HttpHeaders.CONTENT_TYPE, TEXT).putHeader(HttpHeaders.DATE, date).end(content);
  }

  private static void fail(HttpServerRequest request, Throwable failure) {
    System.err.println(failure);
    request.response().setStatusCode(500).end();
  }
}
