package dev.peregrine.spring;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ZeroCopyHttpOutputMessage;
import org.springframework.http.server.reactive.AbstractServerHttpResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A response as Spring sees it. It ends when the application has handled the request. */
final class AdaptedResponse extends AbstractServerHttpResponse
    implements ZeroCopyHttpOutputMessage {
  /** A status that the server logs at debug level; it isn't sent, because the head was. */
  private static final int LOGGED = 400;

  private final Response response;
  private volatile @Nullable ResponseStream stream; // of content that is sent piece by piece
  private volatile boolean whole; // sent, or handed over to a WebSocket
  private volatile boolean lateStatus; // Spring has found that it can't send an error any more

  AdaptedResponse(Response response, DataBufferFactory buffers) {
    super(buffers);
    this.response = response;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the caller knows the server
  public <T> T getNativeResponse() {
    return (T) response;
  }

  // ---- head ----

  /** Notes a status that comes too late: Spring's handlers then log the failure that it is for. */
  @Override
  public boolean setStatusCode(@Nullable HttpStatusCode status) {
    boolean isSet = super.setStatusCode(status);
    if (!isSet) {
      lateStatus = true;
    }
    return isSet;
  }

  @Override
  protected void applyStatusCode() {
    HttpStatusCode status = getStatusCode();
    if (status != null) {
      response.status(status.value());
    }
  }

  @Override
  protected void applyHeaders() {
    getHeaders().forEach(this::addField); // headerSet() would copy the names into another map
  }

  private void addField(String name, List<String> values) {
    for (String value : values) {
      if (value != null && !isServers(name, value)) {
        response.addHeader(name, value);
      }
    }
  }

  /** Returns true for a field that the server decides about, as a proxied response may have it. */
  private static boolean isServers(String name, String value) {
    return name.equalsIgnoreCase(HttpHeaders.TRANSFER_ENCODING)
        || (name.equalsIgnoreCase(HttpHeaders.CONNECTION) && !value.equalsIgnoreCase("close"));
  }

  @Override
  protected void applyCookies() {
    for (List<ResponseCookie> cookies : getCookies().values()) {
      for (ResponseCookie cookie : cookies) {
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
      }
    }
  }

  // ---- content ----

  @Override
  protected Mono<Void> writeWithInternal(Publisher<? extends DataBuffer> body) {
    return body instanceof Mono<? extends DataBuffer> single
        ? single.doOnNext(this::sendWhole).then()
        : new ContentWrite(this, body, false);
  }

  @Override
  protected Mono<Void> writeAndFlushWithInternal(
      Publisher<? extends Publisher<? extends DataBuffer>> body) {
    return new ContentWrite(this, Flux.from(body).concatMap(part -> part, 1), true);
  }

  private void sendWhole(DataBuffer buffer) {
    whole = true;
    if (buffer instanceof DefaultDataBuffer unpooled) {
      response.send(unpooled.getNativeBuffer());
      return;
    }
    SentBuffer sent = new SentBuffer(buffer);
    try {
      sendWhole(sent);
    } finally {
      sent.release();
    }
  }

  private void sendWhole(SentBuffer sent) {
    if (!sent.hasNext()) {
      response.send();
      return;
    }
    java.nio.ByteBuffer first = sent.next();
    if (!sent.hasNext()) {
      response.send(first, sent);
      return;
    }
    ResponseStream pieces = response.stream();
    pieces.write(first, sent);
    while (sent.hasNext()) {
      pieces.write(sent.next(), sent);
    }
    pieces.complete();
  }

  @Override
  public Mono<Void> writeWith(Path file, long position, long count) {
    return doCommit(() -> Mono.fromRunnable(() -> sendFile(file, position, count)));
  }

  private void sendFile(Path file, long position, long count) {
    whole = true;
    try {
      if (position == 0 && Files.size(file) == count) {
        response.send(file);
      } else {
        response.send(FileChannel.open(file, StandardOpenOption.READ), position, count);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  // ---- for the parts of this adapter ----

  /** Returns the server's response. */
  Response server() {
    return response;
  }

  /** Starts content that is sent piece by piece. */
  ResponseStream openStream() {
    ResponseStream opened = response.stream();
    stream = opened;
    return opened;
  }

  /** Leaves the response to a WebSocket. */
  void handOver() {
    whole = true;
  }

  /**
   * Ends the response with a failure. One after the head that Spring has logged is logged at debug
   * level only.
   */
  void fail(Throwable cause) {
    boolean isLogged = lateStatus && response.isCommitted();
    response.fail(isLogged ? new HttpException(LOGGED, "failed after the head", cause) : cause);
  }

  /** Ends the response, because the application has handled the request. */
  void end() {
    ResponseStream opened = stream;
    if (opened != null) {
      opened.complete();
    } else if (!whole) {
      setComplete().subscribe(nothing -> {}, this::fail, response::send);
    }
  }
}
