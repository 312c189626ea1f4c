package dev.peregrine.grpc;

import dev.peregrine.http.ContentType;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.http.ResponseStream;
import dev.peregrine.http.context.RpcStatus;
import dev.peregrine.protocol.HttpVersion;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The response of a call: head, messages, and a status in the trailers, or in the head if nothing
 * was sent before. For gRPC-Web the status is the last frame.
 *
 * <pre>
 *   NEW ──sendHead──▶ OPEN ──end──▶ ENDED
 *    └──end, abandon───┴──abandon─────┘
 * </pre>
 *
 * <p>The application uses it on one thread at a time, and the event loop ends it at any time: so
 * each method takes its lock. What is sent after the end is dropped.
 */
final class CallOutput {
  static final ContentType TYPE = ContentType.of("application/grpc");

  private static final int LARGE_BYTES = 64 * 1024; // the high-water mark by default

  private enum State {
    NEW,
    OPEN,
    ENDED
  }

  private final Request request;
  private final Response response;
  private final @Nullable WebFormat web;
  private final CallTracers tracers;
  private final UnsentBytes unsent;
  private final Runnable whenReady;
  private State state = State.NEW;
  private @Nullable ResponseStream stream;
  private boolean readyAwaited;
  private @Nullable Backlog backlog; // created for the first message that the client doesn't take
  private volatile @Nullable Status status; // written with the lock

  CallOutput(
      Request request,
      Response response,
      @Nullable WebFormat web,
      CallTracers tracers,
      UnsentBytes unsent,
      Runnable whenReady) {
    this.request = request;
    this.response = response;
    this.web = web;
    this.tracers = tracers;
    this.unsent = unsent;
    this.whenReady = whenReady;
  }

  /**
   * Sends the head.
   *
   * @param codings of messages
   * @param flush whether it is sent before the first message
   */
  synchronized void sendHead(Metadata headers, PreparedFields codings, boolean flush) {
    if (state != State.NEW) {
      return;
    }
    state = State.OPEN;
    try {
      response.contentType(type()).addHeaders(codings);
      Fields.write(headers, response::addHeader);
      ResponseStream begun = response.stream();
      stream = begun;
      if (flush) {
        begun.flush();
      }
    } catch (IllegalStateException ended) { // the client has gone
      abandon();
    }
  }

  private ContentType type() {
    return web == null ? TYPE : web.type();
  }

  /**
   * Sends a message, after {@link #sendHead}. Returns false if the client takes so little that the
   * message must not wait; then it is dropped.
   *
   * @param moreFollow false if the only message is sent together with the status
   */
  synchronized boolean send(FrameOutput frame, boolean moreFollow) {
    ResponseStream open = stream;
    if (state != State.OPEN || open == null) {
      return true;
    }
    try {
      if (readyAwaited || frame.length() > LARGE_BYTES) {
        if (!backlog().write(open, buffer(frame))) {
          return false;
        }
      } else if (web == null) {
        open.write(frame.array(), 0, frame.length());
      } else {
        open.write(buffer(frame));
      }
      tracers.onSent(frame.length(), frame.messageBytes());
      if (moreFollow) {
        open.flush();
        awaitReady(open);
      }
    } catch (IllegalStateException ended) { // the client has gone
      abandon();
    }
    return true;
  }

  private ByteBuffer buffer(FrameOutput frame) {
    return web == null
        ? ByteBuffer.wrap(frame.array(), 0, frame.length())
        : web.encode(frame.array(), frame.length());
  }

  private Backlog backlog() {
    Backlog known = backlog;
    if (known == null) {
      known = new Backlog(unsent, request.version() == HttpVersion.HTTP_2);
      backlog = known;
    }
    return known;
  }

  private void awaitReady(ResponseStream open) {
    if (readyAwaited) {
      return;
    }
    if (open.isWritable()) {
      clearBacklog();
    } else {
      readyAwaited = true;
      open.onWritable(this::onWritable);
    }
  }

  private void onWritable() {
    synchronized (this) {
      readyAwaited = false;
      clearBacklog();
    }
    whenReady.run();
  }

  /** The exchange has ended: nothing of it waits any more. */
  synchronized void onExchangeEnd() {
    clearBacklog();
  }

  private void clearBacklog() {
    if (backlog != null) {
      backlog.onReady();
    }
  }

  /** Returns true if less than the high-water mark is unsent. */
  synchronized boolean isReady() {
    ResponseStream open = stream;
    return open == null ? state == State.NEW : state == State.OPEN && isWritable(open);
  }

  private static boolean isWritable(ResponseStream open) {
    try {
      return open.isWritable();
    } catch (IllegalStateException ended) {
      return false;
    }
  }

  /** Ends the call with a status. Returns false if it has ended before. */
  synchronized boolean end(Status last, Metadata trailers) {
    if (state == State.ENDED) {
      return false;
    }
    state = State.ENDED;
    status = last;
    try {
      note(last);
      if (web != null) {
        complete(web.encode(last, trailers));
      } else {
        complete(last, trailers);
      }
      return true;
    } catch (IllegalStateException ended) { // the client has gone
      return false;
    } catch (Throwable failure) { // no memory, or trailers that can't be written
      status = null;
      response.fail(failure);
      return false;
    }
  }

  private void complete(Status last, Metadata trailers) {
    ResponseStream open = stream;
    if (open == null) {
      response.contentType(TYPE);
      Fields.write(last, trailers, response::addHeader);
      response.send();
    } else {
      Fields.write(last, trailers, open::trailer);
      open.complete();
    }
  }

  private void complete(ByteBuffer lastFrame) {
    ResponseStream open = stream;
    if (open == null) {
      response.contentType(type()).send(lastFrame);
    } else {
      open.write(lastFrame).complete();
    }
  }

  /** Sends nothing more, because the client can't receive it. */
  private void abandon() {
    state = State.ENDED;
  }

  /** Sends nothing more, for a reason that observers see if no status was sent. */
  synchronized void abandon(Status reason) {
    abandon();
    if (status == null) {
      note(reason);
    }
  }

  private void note(Status last) {
    try {
      request.attribute(GrpcServices.STATUS, last);
      request.attribute(RpcStatus.CODE, last.getCode().value());
    } catch (IllegalStateException ended) {
      // Observers were notified of the end before.
    }
  }

  /** Returns the status that was sent; null if none was. */
  @Nullable Status status() {
    return status;
  }
}
