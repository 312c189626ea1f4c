package dev.peregrine.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.http.BodyListener;
import dev.peregrine.http.Bytes;
import dev.peregrine.http.Handler;
import dev.peregrine.http.Response;
import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.LeakGuard;
import dev.peregrine.testing.RawClient;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import java.io.ByteArrayOutputStream;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Received bytes that a program keeps as Netty's buffers. */
final class ReceivedBufIT {
  @RegisterExtension final Servers servers = new Servers();

  private @Nullable HttpServer server; // the last that content was sent to
  private final BlockingQueue<ByteBuf> kept = new LinkedBlockingQueue<>();
  private final Handler keep =
      (request, response) -> request.body().receive(new Keeper(response, kept));

  private record Keeper(Response response, BlockingQueue<ByteBuf> kept) implements BodyListener {
    @Override
    public void onData(Bytes data) {
      kept.add(ByteBufs.retain(data));
    }

    @Override
    public void onEnd() {
      response.send();
    }
  }

  private byte[] post(int length) {
    byte[] content = Requests.content(length);
    server = servers.start(keep);
    assertThat(servers.connect(server()).post("/", content).read().status()).isEqualTo(200);
    return content;
  }

  private HttpServer server() {
    return Objects.requireNonNull(server);
  }

  /** After the exchange, on another thread. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5000, 200_000})
  void showsTheBytesUntilItIsReleased(int length) {
    byte[] content = post(length);
    ByteBuf whole = Unpooled.wrappedBuffer(kept.toArray(ByteBuf[]::new));

    assertThat(ByteBufUtil.getBytes(whole)).isEqualTo(content);
    assertThat(whole.readRetainedSlice(1).release()).isFalse();

    assertThat(whole.release()).isTrue();
    assertThat(kept).allMatch(buffer -> buffer.refCnt() == 0);
  }

  @Test
  void readsLikeOtherBuffers() throws Exception {
    byte[] content = post(100);
    ByteBuf buffer = kept.take();
    ByteBuf other = Unpooled.wrappedBuffer(content);
    assertThat(kept).isEmpty();

    assertThat(buffer).isEqualTo(other);
    assertThat(buffer.getMedium(1)).isEqualTo(other.getMedium(1));
    assertThat(buffer.getMediumLE(1)).isEqualTo(other.getMediumLE(1));
    assertThat(buffer.getShort(1)).isEqualTo(other.getShort(1));
    assertThat(buffer.getShortLE(1)).isEqualTo(other.getShortLE(1));
    assertThat(buffer.getInt(3)).isEqualTo(other.getInt(3));
    assertThat(buffer.getIntLE(3)).isEqualTo(other.getIntLE(3));
    assertThat(buffer.getLong(5)).isEqualTo(other.getLong(5));
    assertThat(buffer.getLongLE(5)).isEqualTo(other.getLongLE(5));
    assertThat(buffer.copy(7, 9)).isEqualTo(other.copy(7, 9));
    assertThat(buffer.nioBuffer(7, 9)).isEqualTo(other.nioBuffer(7, 9));
    assertThat(Unpooled.buffer().writeBytes(buffer.duplicate())).isEqualTo(other);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    buffer.getBytes(0, out, 100);
    assertThat(out.toByteArray()).isEqualTo(content);
    assertThatThrownBy(() -> buffer.getByte(100)).isInstanceOf(IndexOutOfBoundsException.class);
    buffer.release();
  }

  @Test
  void canNotBeWrittenTo() throws Exception {
    post(100);
    ByteBuf buffer = kept.take();

    assertThat(buffer.isReadOnly()).isTrue();
    assertThat(buffer.isWritable()).isFalse();
    assertThat(buffer.nioBuffer().isReadOnly()).isTrue();
    assertThatThrownBy(() -> buffer.setByte(0, 1)).isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> buffer.setBytes(0, new byte[1]))
        .isInstanceOf(ReadOnlyBufferException.class);
    assertThatThrownBy(() -> buffer.clear().writeByte(1))
        .isInstanceOf(ReadOnlyBufferException.class);
    buffer.release();
  }

  @Test
  void throwsAfterItsRelease() throws Exception {
    post(100);
    ByteBuf buffer = kept.take();
    buffer.release();

    assertThatThrownBy(() -> buffer.getByte(0)).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(buffer::nioBuffer).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(buffer::retain).isInstanceOf(IllegalReferenceCountException.class);
    assertThatThrownBy(buffer::release).isInstanceOf(IllegalReferenceCountException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 200_000})
  void aLostOneIsReportedByNettyAndByTheServer(int length) {
    ResourceLeakDetector.Level before = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    Logger logger = Logger.getLogger(ResourceLeakDetector.class.getName());
    List<String> reports = new CopyOnWriteArrayList<>();
    java.util.logging.Handler handler = notes(reports);
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      String hint = "kept by the test: " + length; // Netty reports the same leak only once
      post(length);
      kept.forEach(buffer -> buffer.touch(hint));
      kept.clear();

      Await.until("the server reports it", () -> !LeakGuard.collect().isEmpty());

      RawClient another = servers.connect(servers.start(keep));
      Await.until(
          "Netty reports it",
          () -> {
            System.gc();
            another.post("/", new byte[1]).read(); // Netty looks for lost ones at the next one
            kept.forEach(ByteBuf::release);
            kept.clear();
            return !reports.isEmpty();
          });
      assertThat(reports.getFirst()).contains("LEAK").contains(hint);
    } finally {
      ResourceLeakDetector.setLevel(before);
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
    boolean ignored = LeakGuard.collect().isEmpty(); // has the loop report the others
    server().close();
    ignored = LeakGuard.collect().isEmpty();
    servers.log().take(Level.WARNING); // LeakGuard has read it
  }

  private static java.util.logging.Handler notes(List<String> reports) {
    return new java.util.logging.Handler() {
      @Override
      public void publish(LogRecord line) {
        reports.add(line.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
