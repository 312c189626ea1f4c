package dev.peregrine.server.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.transport.AdoptingPoller;
import dev.peregrine.server.transport.Adoption;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.server.transport.Ready;
import dev.peregrine.server.transport.SocketWatch;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports of a selector about the channel of a client. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class NioWatchTest {
  /** Notes what is reported. */
  private static final class Noted implements SocketWatch.Listener {
    final List<String> reports = new ArrayList<>();
    int awaited; // bits of Ready
    int awaitedFromReport; // begins to wait while a report is handled

    @Override
    public boolean isAwaited(int direction) {
      return (awaited & direction) != 0;
    }

    @Override
    public void onReady(int direction) {
      reports.add(direction == Ready.READ ? "read" : "write");
      awaited = (awaited & ~direction) | awaitedFromReport;
      awaitedFromReport = 0;
    }

    @Override
    public void onInputEnd() {
      reports.add("input end");
    }

    @Override
    public void onLoopEnd() {
      reports.add("loop end");
    }

    @Override
    public void onLost(Throwable failure) {
      reports.add("lost");
    }

    @Override
    public void onFailure(Throwable failure) {
      throw new AssertionError(failure);
    }
  }

  private final Noted noted = new Noted();
  private Selector selector;
  private NioPoller poller;
  private ServerSocket listener;
  private SocketChannel channel;
  private Socket peer;
  private NioWatch watch;

  @BeforeEach
  void connect() throws IOException {
    selector = Selector.open();
    poller = new NioPoller(selector);
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    channel = SocketChannel.open(listener.getLocalSocketAddress());
    var ignored = channel.configureBlocking(false);
    peer = listener.accept();
    watch = new NioWatch(channel, noted);
  }

  @AfterEach
  void close() throws IOException {
    poller.close();
    channel.close();
    peer.close();
    listener.close();
  }

  private void poll() throws IOException {
    poller.await(0);
    poller.notifyReady();
  }

  private void send() throws IOException {
    peer.getOutputStream().write(1);
    try (Selector arrival = Selector.open()) { // of the byte
      var ignored = channel.register(arrival, Ready.READ);
      assertThat(arrival.select(TimeUnit.MINUTES.toMillis(1))).isPositive();
    }
  }

  @Test
  void readinessThatNoThreadWaitsForIsReportedOnce() throws IOException {
    noted.awaited = Ready.READ;
    watch.begin(poller);
    noted.awaited = 0;
    send();
    for (int i = 0; i < 5; i++) {
      poll();
    }

    assertThat(noted.reports).containsExactly("read");
    assertThat(watch.reports(Ready.READ)).isFalse();
  }

  @Test
  void theInterestStaysAfterAWaitSoThatTheNextOneNeedsNoTask() throws IOException {
    noted.awaited = Ready.READ;
    watch.begin(poller);
    send();
    poll();
    assertThat(channel.read(ByteBuffer.allocate(9))).isEqualTo(1);
    poll();

    assertThat(watch.reports(Ready.READ)).isTrue();
    noted.awaited = Ready.READ;
    send();
    poll();
    assertThat(noted.reports).containsExactly("read", "read");
  }

  @Test
  void aWaitThatBeginsWhileTheInterestEndsIsReported() throws IOException {
    noted.awaited = Ready.READ;
    watch.begin(poller);
    noted.awaited = 0;
    noted.awaitedFromReport = Ready.READ;
    send();
    poll();
    assertThat(watch.reports(Ready.READ)).isTrue();
    poll();

    assertThat(noted.reports).containsExactly("read", "read");
  }

  @Test
  void aWaitToWriteIsReportedOnce() throws IOException {
    watch.begin(poller);
    poll();
    assertThat(noted.reports).isEmpty();

    noted.awaited = Ready.WRITE;
    watch.report();
    for (int i = 0; i < 5; i++) {
      poll();
    }
    assertThat(noted.reports).containsExactly("write", "write"); // the second ends the interest
    assertThat(watch.reports(Ready.WRITE)).isFalse();
  }

  @Test
  void aChannelThatConnectsIsReported() throws IOException {
    try (SocketChannel connecting = SocketChannel.open()) {
      var ignored = connecting.configureBlocking(false);
      boolean connected = connecting.connect(listener.getLocalSocketAddress());
      watch = new NioWatch(connecting, noted);
      noted.awaited = Ready.WRITE;
      watch.begin(poller);
      poller.await(Poller.FOREVER);
      poller.notifyReady();

      assertThat(connected || connecting.finishConnect()).isTrue();
      assertThat(noted.reports).containsExactly("write");
    }
  }

  @Test
  void aWatchBeginsAgainInTheTurnInWhichOneHasEnded() throws IOException {
    watch.begin(poller);
    watch.end(true);
    noted.awaited = Ready.READ;
    watch = new NioWatch(channel, noted);
    watch.begin(poller);
    send();
    poll();

    assertThat(noted.reports).containsExactly("read");
    assertThat(selector.keys()).hasSize(1);
  }

  @Test
  void readinessThatIsFoundWhenAWatchBeginsAgainIsReported() throws IOException {
    noted.awaited = Ready.READ;
    watch.begin(poller);
    send();
    Noted later = new Noted();
    try (SocketChannel other = SocketChannel.open(listener.getLocalSocketAddress())) {
      var ignored = other.configureBlocking(false);
      NioWatch ended = new NioWatch(other, later);
      ended.begin(poller);
      ended.end(true);
      new NioWatch(other, later).begin(poller); // selects, because the key is cancelled
      poll();
    }

    assertThat(noted.reports).containsExactly("read");
  }

  @Test
  void aClosedChannelLeavesNoKeyAfterTheNextPoll() throws IOException {
    noted.awaited = Ready.READ;
    watch.begin(poller);
    channel.close();
    watch.end(false);
    poll();

    assertThat(selector.keys()).isEmpty();
    assertThat(noted.reports).isEmpty();
    assertThat(peer.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void theEndOfThePollerIsReported() throws IOException {
    watch.begin(poller);
    poller.close();
    poller.close();

    assertThat(noted.reports).containsExactly("loop end");
  }

  @Test
  void aPollerWithAWatchStaysOnNio() throws IOException {
    watch.begin(poller);
    Taking next = new Taking();

    assertThatThrownBy(() -> poller.moveTo(next)).isInstanceOf(UnsupportedOperationException.class);
    assertThat(next.closed).isTrue();
    noted.awaited = Ready.READ;
    watch.report();
    send();
    poll();
    assertThat(noted.reports).containsExactly("read");
  }

  /** A poller to which sockets can move. */
  private static final class Taking implements AdoptingPoller {
    boolean closed;

    @Override
    public Adoption adoption() {
      return new Adoption() {
        @Override
        public StreamSocket socket(SocketAddress local, SocketAddress remote) {
          throw new AssertionError("not a connection");
        }

        @Override
        public Listener listener(SocketAddress local) {
          throw new AssertionError("not a listener");
        }
      };
    }

    @Override
    public void await(long timeoutNanos) {}

    @Override
    public void notifyReady() {}

    @Override
    public void wakeUp() {}

    @Override
    public void close() {
      closed = true;
    }
  }
}
