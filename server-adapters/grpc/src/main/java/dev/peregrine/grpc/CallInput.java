package dev.peregrine.grpc;

import dev.peregrine.http.Bytes;
import dev.peregrine.http.RequestBody;
import dev.peregrine.protocol.HttpVersion;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * What the client of a call sends: reads it on the event loop, and passes messages and their end to
 * the listener.
 */
final class CallInput<Q> implements MessageReader.Receiver {
  private final CallSettings settings;
  private final MethodDescriptor<Q, ?> method;
  private final CallHead head;
  private final RequestBody body;
  private final CallLifecycle<Q> lifecycle;
  private final Demand demand = new Demand();
  private final MessageReader reader;

  CallInput(
      CallSettings settings,
      MethodDescriptor<Q, ?> method,
      CallHead head,
      RequestBody body,
      CallLifecycle<Q> lifecycle) {
    this.settings = settings;
    this.method = method;
    this.head = head;
    this.body = body;
    this.lifecycle = lifecycle;
    this.reader = new MessageReader(body, this, demand, settings.messageBytesMax());
  }

  /**
   * Begins to receive. Over HTTP/1.1, clients of gRPC-Web send their content without pauses, and no
   * PING finds one that has vanished: so it has the limits of other requests.
   */
  void start() {
    WebFormat web = head.web();
    (head.request().version() == HttpVersion.HTTP_2 ? body.openEnded() : body)
        .receive(web != null && web.isTextSent() ? new TextContent(reader, this) : reader);
  }

  /** Adds to the messages that the application wants; on any thread. */
  void request(int messages) {
    if (demand.add(messages)) {
      head.response().onLoop(reader::onDemand);
    }
  }

  /** Drops what has arrived, and what will; on the event loop. */
  void stop() {
    reader.stop();
  }

  // ---- on the event loop ----

  @Override
  public void receive(Bytes piece, int from, int length, boolean compressed) {
    lifecycle.tracers().onReceived(length);
    ArrivedMessage message = new ArrivedMessage(piece, from, length);
    if (lifecycle.tryEnter()) {
      try {
        pass(message, compressed);
      } finally {
        lifecycle.exit();
      }
    } else {
      InputStream kept = piece instanceof HeapBytes ? message : message.detach();
      lifecycle.call(() -> pass(kept, compressed));
    }
  }

  @Override
  public void receive(byte[] message, boolean compressed) {
    lifecycle.tracers().onReceived(message.length);
    lifecycle.call(() -> pass(new HeapMessage(message), compressed));
  }

  @Override
  public void receiveEnd() {
    lifecycle.call(lifecycle::callOnHalfClose);
  }

  @Override
  public void receiveFault(Status status) {
    lifecycle.breakOff(status, new Metadata());
    lifecycle.end(status);
  }

  // ---- on the executor of the listener ----

  private void pass(InputStream message, boolean compressed) {
    Context before = lifecycle.attach();
    try (message) {
      if (lifecycle.isCancelled()) {
        return;
      }
      Q parsed = parse(message, compressed);
      if (parsed != null) {
        lifecycle.listener().onMessage(parsed);
      }
    } catch (Throwable thrown) {
      lifecycle.failByApplication(thrown);
    } finally {
      lifecycle.detach(before);
    }
  }

  /** Returns a message; null if the client gets a status, because it is not valid. */
  private @Nullable Q parse(InputStream message, boolean compressed) {
    try {
      return method.parseRequest(
          compressed ? head.decompress(message, settings.messageBytesMax()) : message);
    } catch (StatusRuntimeException invalid) {
      lifecycle.breakOff(invalid.getStatus(), CallLifecycle.trailers(invalid));
    }
    return null;
  }
}
