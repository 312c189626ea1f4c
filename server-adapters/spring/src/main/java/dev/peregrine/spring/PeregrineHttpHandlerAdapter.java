package dev.peregrine.spring;

import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import java.net.URISyntaxException;
import java.util.Objects;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHeadResponseDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * Serves a reactive {@link HttpHandler} of Spring Framework, such as a WebFlux application.
 *
 * <pre>{@code
 * HttpHandler application = WebHttpHandlerBuilder.applicationContext(context).build();
 * HttpServer server =
 *     Peregrine.builder().port(8080).handler(new PeregrineHttpHandlerAdapter(application)).start();
 * }</pre>
 *
 * <p>The handler is called on the event loop of the connection and must not block. Its response may
 * be written from any thread. Content flows in both directions as the application and the client
 * take it. If the client goes away, or ends its side of the connection, the handler is cancelled. A
 * failure after the head that Spring has logged is logged once more at debug level only.
 *
 * <p>The limits are those of the server, {@code ServerLimits}. Among them are some that Spring's
 * other servers don't have: the size of a request's content ({@code bodyBytesMax}), and the time
 * until the response begins ({@code responseBeginTime}).
 */
public final class PeregrineHttpHandlerAdapter implements Handler {
  private final HttpHandler handler;
  private final DataBufferFactory buffers;

  /** Serves a handler, with buffers on the heap. */
  public PeregrineHttpHandlerAdapter(HttpHandler handler) {
    this(handler, DefaultDataBufferFactory.sharedInstance);
  }

  /**
   * Serves a handler.
   *
   * @param buffers makes the buffers that the application writes to, and wraps short content that
   *     was received. Pooled ones are released once the connection has taken their bytes
   */
  public PeregrineHttpHandlerAdapter(HttpHandler handler, DataBufferFactory buffers) {
    this.handler = Objects.requireNonNull(handler, "handler");
    this.buffers = Objects.requireNonNull(buffers, "buffers");
  }

  @Override
  public void handle(Request request, Response response) {
    response.async();
    AdaptedResponse answer = new AdaptedResponse(response, buffers);
    Completion completion = new Completion(response, answer);
    AdaptedRequest adapted;
    try {
      adapted = new AdaptedRequest(request, buffers, completion::cancel);
    } catch (URISyntaxException invalid) {
      throw new HttpException(400, "the request target is not a URI");
    }
    ServerHttpResponse seen =
        HttpMethod.HEAD.equals(adapted.getMethod())
            ? new HttpHeadResponseDecorator(answer)
            : answer;
    handler.handle(adapted, seen).subscribe(completion);
  }
}
