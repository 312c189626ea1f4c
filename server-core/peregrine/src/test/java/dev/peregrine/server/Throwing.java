package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.JsonCodec;
import dev.peregrine.http.RawConnection;
import dev.peregrine.http.RawListener;
import dev.peregrine.http.Response;
import dev.peregrine.server.ThrowingCallbackIT.Thrown;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The listeners of {@link ThrowingCallbackIT}, one of whose callbacks throws. */
final class Throwing {
  private Throwing() {}

  static final class Body implements BodyListener {
    private final ThrowingCallbackIT.Callback callback;
    private final Thrown thrown;

    Body(ThrowingCallbackIT.Callback callback, Thrown thrown) {
      this.callback = callback;
      this.thrown = thrown;
    }

    @Override
    public void onData(Bytes data) {
      if (callback == ThrowingCallbackIT.Callback.BODY_ON_DATA
          || callback == ThrowingCallbackIT.Callback.DECODED_ON_DATA) {
        thrown.raise();
      }
    }

    @Override
    public void onEnd() {
      if (callback == ThrowingCallbackIT.Callback.BODY_ON_END
          || callback == ThrowingCallbackIT.Callback.DECODED_ON_END) {
        thrown.raise();
      }
    }

    @Override
    public void onError(IOException cause) {
      thrown.raise();
    }
  }

  static final class Subscriber implements Flow.Subscriber<ByteBuffer> {
    private final ThrowingCallbackIT.Callback callback;
    private final Thrown thrown;
    private final Response response;
    private Flow.@Nullable Subscription subscription;
    private int buffers;

    Subscriber(ThrowingCallbackIT.Callback callback, Thrown thrown, Response response) {
      this.callback = callback;
      this.thrown = thrown;
      this.response = response;
    }

    @Override
    public void onSubscribe(Flow.Subscription made) {
      subscription = made;
      if (callback == ThrowingCallbackIT.Callback.ON_SUBSCRIBE) {
        thrown.raise();
      }
      made.request(
          callback == ThrowingCallbackIT.Callback.ON_NEXT_WITHIN_REQUEST ? 1 : Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer buffer) {
      buffers++;
      if (callback == ThrowingCallbackIT.Callback.ON_NEXT || buffers == 2) {
        thrown.raise();
      }
      if (callback == ThrowingCallbackIT.Callback.ON_NEXT_WITHIN_REQUEST) {
        response.onLoop(() -> Thread.ofVirtual().start(this::demand)); // then the next writer waits
      }
    }

    private void demand() {
      try {
        Objects.requireNonNull(subscription).request(1);
      } catch (IllegalStateException | AssertionError seen) {
        assertThat(seen).hasMessage("intended");
      }
    }

    @Override
    public void onError(Throwable cause) {
      thrown.raise();
    }

    @Override
    public void onComplete() {
      thrown.raise();
    }
  }

  static final class Raw implements RawListener {
    private final ThrowingCallbackIT.Callback callback;
    private final Thrown thrown;
    private final Collection<String> told;

    Raw(ThrowingCallbackIT.Callback callback, Thrown thrown, Collection<String> told) {
      this.callback = callback;
      this.thrown = thrown;
      this.told = told;
    }

    @Override
    public void onOpen(RawConnection connection) {
      call(ThrowingCallbackIT.Callback.RAW_ON_OPEN);
      if (callback == ThrowingCallbackIT.Callback.RAW_ON_WRITABLE) {
        connection.onWritable(thrown::raise);
      }
    }

    @Override
    public void onData(RawConnection connection, Bytes data) {
      call(ThrowingCallbackIT.Callback.RAW_ON_DATA);
    }

    @Override
    public void onEnd(RawConnection connection) {
      call(ThrowingCallbackIT.Callback.RAW_ON_END);
      connection.end();
    }

    @Override
    public void onClose(IOException cause) {
      told.add("closed");
      call(ThrowingCallbackIT.Callback.RAW_ON_CLOSE);
    }

    private void call(ThrowingCallbackIT.Callback which) {
      if (which == callback) {
        thrown.raise();
      }
    }
  }

  record Codec(Thrown thrown) implements JsonCodec {
    @Override
    public void write(Object value, OutputStream target) throws IOException {
      target.write(new byte[100_000]);
      thrown.raise();
    }

    @Override
    public <T> T read(byte[] content, Class<T> type) {
      return type.cast("value");
    }
  }
}
