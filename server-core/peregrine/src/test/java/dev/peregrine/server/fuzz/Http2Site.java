package dev.peregrine.server.fuzz;

import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.RequestBody;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.server.observe.ExchangeInfo;
import dev.peregrine.server.observe.ExchangeListener;
import dev.peregrine.testing.Echo;
import dev.peregrine.testing.Listeners;
import dev.peregrine.testing.RawEcho;
import dev.peregrine.testing.Requests;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handlers that respond at once, later, in pieces, slowly, with errors or not at all, by path; and
 * a tunnel for CONNECT. Counts which of them were notified of the end. All calls are on the loop's
 * thread.
 */
final class Http2Site implements Handler, ExchangeListener {
  static final String NEVER = "/never";
  static final String BROKEN = "/broken";
  static final String BROKEN_OFF = "broken off as it should be";
  static final String PIECES = "/pieces";

  /** The paths; all of them but the last one are answered while the client stays. */
  static final List<String> PATHS =
      List.of(
          "/short",
          "/large",
          PIECES,
          "/whole",
          "/slow",
          "/streamed",
          BROKEN,
          "/later",
          "/ignored",
          "/early",
          "/teapot",
          "/missing",
          NEVER);

  private static final byte[] LARGE = Requests.content(40_000);
  private static final byte[] HELLO = Requests.bytes("hello");
  private static final int PART_BYTES = 5_000;
  private static final int TEAPOT = 418;
  private static final Handler PIECE_BY_PIECE = Echo.PIECES.handler();
  private static final Handler WHOLE = Echo.WHOLE.handler();

  private int begun;
  private int ended;
  private int open; // callbacks for an end that hasn't come

  /** Returns the content of a successful response; null if there is none. */
  static byte @Nullable [] content(String path, byte[] sent) {
    return switch (path) {
      case "/short", "/later", "/ignored", "/early" -> HELLO;
      case "/large", "/streamed" -> LARGE;
      case PIECES, "/whole", "/slow" -> sent;
      default -> null;
    };
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    open++;
    response.onComplete(outcome -> open--);
    if (request.method() == HttpMethod.CONNECT) {
      response.tunnel(new EchoTunnel());
      open++; // it is closed, even if it is never opened
      return;
    }
    switch (request.path()) {
      case "/short", "/ignored" -> response.send(HELLO);
      case "/large" -> response.send(LARGE);
      case PIECES -> PIECE_BY_PIECE.handle(request, response);
      case "/whole" -> WHOLE.handle(request, response);
      case "/slow" -> slow(request, response);
      case "/streamed" -> stream(response.async().stream(), 0);
      case BROKEN -> {
        response.stream().write(LARGE, 0, PART_BYTES);
        throw new HttpException(HttpStatus.INTERNAL_SERVER_ERROR.code(), BROKEN_OFF);
      }
      case "/later" -> {
        response.async();
        response.onLoop(() -> response.onLoop(() -> response.send(HELLO)));
      }
      case "/early" -> {
        PreparedFields hints = PreparedFields.of("link", "</a>");
        response.interim(HttpStatus.EARLY_HINTS.code(), hints).send(HELLO);
      }
      case "/teapot" -> throw new HttpException(TEAPOT, "a teapot");
      case NEVER -> {
        open++;
        Runnable end = () -> open--;
        response.async().onAbort(cause -> end.run());
        response.onClientClosed(
            () -> {
              end.run();
              response.send(HELLO);
            });
      }
      default -> response.status(HttpStatus.NOT_FOUND.code()).text("not found");
    }
  }

  /** Takes a piece of the content in each turn. */
  private static void slow(Request request, Response response) {
    RequestBody body = request.body();
    ResponseStream out = response.stream();
    body.receive(
        Listeners.of(
            data -> {
              out.write(data);
              body.pause();
              response.onLoop(body::resume);
            },
            out::complete));
  }

  /** Writes parts as long as there is room. */
  private static void stream(ResponseStream out, int from) {
    int at = from;
    while (at < LARGE.length && out.isWritable()) {
      out.write(LARGE, at, PART_BYTES);
      at += PART_BYTES;
    }
    int next = at;
    if (at < LARGE.length) {
      out.onWritable(() -> stream(out, next));
    } else {
      out.trailer("x-end", "yes").complete();
    }
  }

  @Override
  public void onBegin(ExchangeInfo exchange) {
    begun++;
  }

  @Override
  public void onEnd(ExchangeInfo exchange) {
    ended++;
  }

  /** Fails if an exchange has not ended, or its handler wasn't notified of the end. */
  void requireAllEnded() {
    if (begun != ended || open != 0) {
      throw new AssertionError(
          begun + " exchanges have begun, " + ended + " ended, callbacks left: " + open);
    }
  }

  /** Counts open tunnels. */
  private final class EchoTunnel extends RawEcho {
    @Override
    public void onClose(IOException cause) {
      open--;
    }
  }
}
