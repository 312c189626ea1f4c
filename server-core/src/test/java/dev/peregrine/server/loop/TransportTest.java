package dev.peregrine.server.loop;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.server.loop.epoll.EpollTransport;
import dev.peregrine.testing.Descriptors;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What every transport does alike. The test's thread is the loop's. */
@ParameterizedClass(name = "{0}")
@MethodSource("transports")
class TransportTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int BACKLOG = 1024;
  private static final int PATIENCE_MILLIS = 20_000;
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);

  private final Transport transport;
  private final List<AutoCloseable> open = new ArrayList<>();
  private List<String> descriptorsBefore = List.of();
  private int waits;
  private Poller poller;
  private Listener listener;
  private Told listening;

  TransportTest(Transport transport) {
    this.transport = transport;
  }

  static Stream<Transport> transports() {
    String problem = EpollTransport.problem();
    return problem == null
        ? Stream.of(new NioTransport(), EpollTransport.open())
        : Stream.of(new NioTransport());
  }

  @BeforeEach
  void listen() throws IOException {
    new Socket().close(); // so that what the JDK opens once for all is there
    descriptorsBefore = Descriptors.areVisible() ? Descriptors.ofTransports() : List.of();
    poller = transport.openPoller(() -> waits++);
    listener = transport.listen(ANY_PORT, BACKLOG, false);
    listening = new Told();
    listener.attach(poller, listening);
  }

  @AfterEach
  void leavesNoDescriptors() throws Exception {
    for (AutoCloseable left : open) {
      left.close();
    }
    listener.close();
    poller.close();
    if (Descriptors.areVisible()) {
      assertThat(Descriptors.ofTransports()).isEqualTo(descriptorsBefore);
    }
  }

  // ---- accepting ----

  @Test
  void tellsOfAConnectionAndAcceptsIt() throws IOException {
    Socket client = connect();
    until(() -> listening.times() > 0);
    StreamSocket socket = Objects.requireNonNull(listener.accept());
    open.add(socket);
    assertThat(listening.ops.getFirst()).isEqualTo(Ready.ACCEPT);
    assertThat(socket.isOpen()).isTrue();
    assertThat(socket.remoteAddress()).isEqualTo(client.getLocalSocketAddress());
    assertThat(socket.localAddress()).isEqualTo(client.getRemoteSocketAddress());
    assertThat(listener.accept()).isNull();
  }

  @Test
  void tellsAgainOfConnectionsThatWereLeftWaiting() throws IOException {
    connect();
    connect();
    until(() -> listening.times() > 0);
    open.add(Objects.requireNonNull(listener.accept()));
    int before = listening.times();
    until(() -> listening.times() > before);
    open.add(Objects.requireNonNull(listener.accept()));
    assertThat(listener.accept()).isNull();
  }

  @Test
  void isNotToldOfConnectionsWhileNotListening() throws IOException {
    listener.listening(false);
    connect();
    poller.poll(0);
    poller.poll(0);
    assertThat(listening.times()).isZero();
    listener.listening(true);
    until(() -> listening.times() > 0);
    open.add(Objects.requireNonNull(listener.accept()));
  }

  @Test
  void failsToAcceptWhenDescriptorsRunOutAndGoesOnLater() throws Throwable {
    assumeTrue(Descriptors.areVisible());
    Listener closed = transport.listen(ANY_PORT, BACKLOG, false);
    closed.close();
    assertThatThrownBy(closed::accept).isInstanceOf(IOException.class); // loads the classes
    connect();
    until(() -> listening.times() > 0);
    List<Throwable> failures = new ArrayList<>();
    Descriptors.exhausted(
        () -> {
          try {
            listener.accept();
          } catch (IOException failure) {
            failures.add(failure);
          }
        });
    assertThat(failures).singleElement().asString().contains("Too many open files");
    listener.listening(false);
    poller.poll(0);
    listener.listening(true);
    int before = listening.times();
    until(() -> listening.times() > before);
    open.add(Objects.requireNonNull(listener.accept()));
  }

  @Test
  void refusesAPortInUse() {
    InetSocketAddress taken = (InetSocketAddress) listener.localAddress();
    assertThatThrownBy(() -> transport.listen(taken, BACKLOG, false))
        .isInstanceOf(BindException.class)
        .hasMessageContaining("already in use");
  }

  @Test
  void sharesAPortWhenAskedTo() throws IOException {
    Listener first = transport.listen(ANY_PORT, BACKLOG, true);
    open.add(first);
    Listener second = transport.listen((InetSocketAddress) first.localAddress(), BACKLOG, true);
    open.add(second);
    assertThat(second.localAddress()).isEqualTo(first.localAddress());
  }

  @Test
  void listensOnIpv6() throws IOException {
    InetAddress loopback = InetAddress.ofLiteral("::1");
    assumeTrue(NetworkInterface.getByInetAddress(loopback) != null, "no IPv6 here");
    StreamSocket socket = acceptOn(new InetSocketAddress(loopback, 0), loopback);
    InetSocketAddress remote = (InetSocketAddress) socket.remoteAddress();
    assertThat(remote.getAddress()).isEqualTo(loopback);
    assertThat(((InetSocketAddress) socket.localAddress()).getAddress()).isEqualTo(loopback);
  }

  @Test
  void listensOnEveryAddressOfBothFamilies() throws IOException {
    InetAddress ipv4 = InetAddress.ofLiteral("127.0.0.1");
    InetAddress ipv6 = InetAddress.ofLiteral("::1");
    for (String wildcard : List.of("0.0.0.0", "::")) {
      InetSocketAddress everywhere = new InetSocketAddress(wildcard, 0);
      StreamSocket socket = acceptOn(everywhere, ipv4);
      assertThat(((InetSocketAddress) socket.remoteAddress()).getAddress()).isEqualTo(ipv4);
      if (NetworkInterface.getByInetAddress(ipv6) != null) {
        acceptOn(everywhere, ipv6);
      }
    }
  }

  // ---- reading ----

  @Test
  void readsWhatCame() throws IOException {
    for (boolean direct : new boolean[] {true, false}) {
      Pair pair = pair();
      pair.client.getOutputStream().write("hello".getBytes(US_ASCII));
      until(() -> pair.told.times() > 0);
      assertThat(pair.told.ops.getFirst()).isEqualTo(Ready.READ);
      ByteBuffer target = direct ? ByteBuffer.allocateDirect(16) : ByteBuffer.allocate(16);
      target.position(3);
      assertThat(pair.socket.read(target)).isEqualTo(5);
      assertThat(target.position()).isEqualTo(8);
      assertThat(US_ASCII.decode(target.flip().position(3)).toString()).isEqualTo("hello");
      assertThat(pair.socket.read(target.clear())).isZero();
      assertThat(pair.socket.read(target.limit(0))).isZero();
    }
  }

  @Test
  void tellsAgainWhileBytesAreLeft() throws IOException {
    ByteBuffer target = ByteBuffer.allocateDirect(10);
    Pair pair = pair();
    pair.react = ops -> pair.socket.read(target.clear());
    pair.client.getOutputStream().write(new byte[95]);
    until(() -> pair.told.times() == 10);
    assertThat(target.position()).isEqualTo(5);
    poller.poll(0);
    assertThat(pair.told.times()).isEqualTo(10);
  }

  @Test
  void tellsAgainWhatTheHandlerDidNotRead() throws IOException {
    Pair pair = pair();
    pair.client.getOutputStream().write(1);
    until(() -> pair.told.times() == 3);
    assertThat(pair.socket.read(ByteBuffer.allocateDirect(8))).isEqualTo(1);
  }

  @Test
  void tellsOfTheEndOfTheStream() throws IOException {
    Pair pair = pair();
    pair.client.shutdownOutput();
    until(() -> pair.told.times() > 0);
    ByteBuffer target = ByteBuffer.allocateDirect(8);
    assertThat(pair.socket.read(target)).isEqualTo(-1);
    int before = pair.told.times();
    until(() -> pair.told.times() > before);
    assertThat(pair.socket.read(target)).isEqualTo(-1);
  }

  @Test
  void tellsOfTheEndThatCameWithTheLastBytes() throws IOException {
    Pair pair = pair();
    pair.client.getOutputStream().write(new byte[5]);
    pair.client.shutdownOutput();
    List<Integer> reads = new ArrayList<>();
    pair.react = ops -> reads.add(pair.socket.read(ByteBuffer.allocateDirect(8)));
    until(() -> reads.contains(-1));
    assertThat(reads.stream().filter(n -> n > 0).mapToInt(n -> n).sum()).isEqualTo(5);
  }

  @Test
  void tellsOfTheEndThatCameWhileNotInterested() throws IOException {
    Pair pair = pair();
    pair.client.getOutputStream().write(new byte[5]);
    until(() -> pair.told.times() > 0);
    pair.socket.interest(0);
    pair.client.shutdownOutput();
    assertThat(pair.socket.read(ByteBuffer.allocateDirect(8))).isEqualTo(5);
    poller.poll(0);
    int before = pair.told.times();
    pair.socket.interest(Ready.READ);
    until(() -> pair.told.times() > before);
    assertThat(pair.socket.read(ByteBuffer.allocateDirect(8))).isEqualTo(-1);
  }

  @Test
  void failsToReadAfterAReset() throws IOException {
    Pair pair = pair();
    pair.client.setSoLinger(true, 0);
    pair.client.close();
    until(() -> pair.told.times() > 0);
    assertThatThrownBy(() -> pair.socket.read(ByteBuffer.allocateDirect(8)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Connection reset");
  }

  @Test
  void tellsOfAResetAConnectionThatOnlyWaitsToWrite() throws IOException {
    Pair pair = pair();
    fill(pair.socket);
    pair.socket.interest(Ready.WRITE);
    poller.poll(0);
    pair.told.ops.clear();
    pair.client.setSoLinger(true, 0);
    pair.client.close();
    until(() -> pair.told.times() > 0);
    assertThatThrownBy(() -> pair.socket.write(ByteBuffer.allocateDirect(8)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void readsUrgentDataAsIfItWasNotThere() throws IOException {
    Pair pair = pair();
    pair.client.getOutputStream().write("ab".getBytes(US_ASCII));
    pair.client.sendUrgentData('!');
    pair.client.getOutputStream().write("cd".getBytes(US_ASCII));
    StringBuilder text = new StringBuilder();
    pair.react =
        ops -> {
          ByteBuffer target = ByteBuffer.allocateDirect(8);
          pair.socket.read(target);
          text.append(US_ASCII.decode(target.flip()));
        };
    until(() -> text.length() >= 4);
    assertThat(text).hasToString("abcd");
  }

  // ---- writing ----

  @Test
  void writesWhatItIsGiven() throws IOException {
    Pair pair = pair();
    for (boolean direct : new boolean[] {true, false}) {
      ByteBuffer source = buffer(direct, "..hello..");
      source.position(2).limit(7);
      assertThat(pair.socket.write(source)).isEqualTo(5);
      assertThat(source.hasRemaining()).isFalse();
      assertThat(pair.client.getInputStream().readNBytes(5)).isEqualTo("hello".getBytes(US_ASCII));
      assertThat(pair.socket.write(source)).isZero();
    }
  }

  @Test
  void gathersBuffersOfBothKinds() throws IOException {
    Pair pair = pair();
    ByteBuffer[] sources = {
      buffer(true, "skipped"),
      buffer(true, "one,"),
      buffer(false, "two,"),
      buffer(true, ""),
      buffer(false, "three"),
      buffer(true, "skipped")
    };
    assertThat(pair.socket.write(sources, 1, 4)).isEqualTo(13);
    assertThat(sources).extracting(ByteBuffer::remaining).containsExactly(7, 0, 0, 0, 0, 7);
    assertThat(pair.client.getInputStream().readNBytes(13))
        .isEqualTo("one,two,three".getBytes(US_ASCII));
    assertThat(pair.socket.write(sources, 1, 4)).isZero();
  }

  @Test
  void resumesAfterShortGatheredWrites() throws Exception {
    Pair pair = pair();
    byte[] content = new byte[32 * 1024 * 1024];
    new Random(1).nextBytes(content);
    ByteBuffer[] sources = new ByteBuffer[100];
    for (int i = 0; i < sources.length; i++) {
      int from = (int) ((long) content.length * i / sources.length);
      int to = (int) ((long) content.length * (i + 1) / sources.length);
      ByteBuffer piece = i % 3 == 0 ? null : ByteBuffer.allocateDirect(to - from);
      sources[i] =
          piece == null
              ? ByteBuffer.wrap(content, from, to - from).slice()
              : piece.put(content, from, to - from).flip();
    }
    byte[] received = new byte[content.length];
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    pair.client.getInputStream().readNBytes(received, 0, received.length);
                  } catch (IOException failure) {
                    throw new IllegalStateException(failure);
                  }
                });
    AtomicInteger shortWrites = new AtomicInteger();
    pair.react =
        ops -> {
          long offered = Arrays.stream(sources).mapToLong(ByteBuffer::remaining).sum();
          long written = pair.socket.write(sources);
          assertThat(Arrays.stream(sources).mapToLong(ByteBuffer::remaining).sum())
              .isEqualTo(offered - written);
          if (written < offered) {
            shortWrites.incrementAndGet();
          } else {
            pair.socket.interest(0);
          }
        };
    pair.socket.interest(Ready.WRITE);
    until(() -> !sources[99].hasRemaining() && !sources[98].hasRemaining());
    reader.join();
    assertThat(received).isEqualTo(content);
    assertThat(shortWrites.get()).isPositive();
    assertThat(pair.told.failures).isEmpty();
  }

  @Test
  void tellsOfRoomThatCameWhileNotInterested() throws IOException {
    Pair pair = pair();
    pair.socket.interest(0);
    long sent = fill(pair.socket);
    pair.client.getInputStream().readNBytes((int) sent);
    poller.poll(0);
    assertThat(pair.told.times()).isZero();
    pair.socket.interest(Ready.WRITE);
    until(() -> pair.told.times() > 0);
    assertThat(pair.told.ops.getFirst()).isEqualTo(Ready.WRITE);
    assertThat(pair.socket.write(ByteBuffer.allocateDirect(8))).isEqualTo(8);
  }

  @Test
  void tellsAgainWhileThereIsRoom() throws IOException {
    Pair pair = pair();
    pair.socket.interest(Ready.WRITE);
    until(() -> pair.told.times() == 3);
    pair.socket.interest(0);
    poller.poll(0);
    assertThat(pair.told.times()).isEqualTo(3);
  }

  // ---- ending ----

  @Test
  void endsItsSideAndGoesOnReading() throws IOException {
    Pair pair = pair();
    pair.socket.shutdownOutput();
    assertThat(pair.client.getInputStream().read()).isEqualTo(-1);
    pair.client.getOutputStream().write(new byte[3]);
    until(() -> pair.told.times() > 0);
    assertThat(pair.socket.read(ByteBuffer.allocateDirect(8))).isEqualTo(3);
  }

  @Test
  void resets() throws IOException {
    Pair pair = pair();
    pair.socket.reset();
    assertThat(pair.socket.isOpen()).isFalse();
    poller.poll(0); // java.nio closes then what is attached
    assertThatThrownBy(() -> pair.client.getInputStream().read())
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("reset");
    pair.socket.close();
  }

  @Test
  void endsTheStreamWhenItIsClosedEvenTwice() throws IOException {
    Pair pair = pair();
    pair.socket.close();
    pair.socket.close();
    assertThat(pair.socket.isOpen()).isFalse();
    assertThat(pair.client.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void closesWhatWasNeverAttached() throws IOException {
    Socket first = connect();
    Socket second = connect();
    until(() -> listening.times() > 0);
    Objects.requireNonNull(listener.accept()).close();
    Objects.requireNonNull(listener.accept()).reset();
    assertThat(first.getInputStream().read()).isEqualTo(-1);
    assertThatThrownBy(() -> second.getInputStream().read()).isInstanceOf(SocketException.class);
  }

  // ---- events ----

  @Test
  void tellsEachSocketOncePerPoll() throws IOException {
    List<Pair> pairs = List.of(pair(), pair(), pair());
    for (Pair pair : pairs) {
      pair.client.getOutputStream().write(1);
    }
    until(() -> pairs.stream().allMatch(pair -> pair.told.times() > 0));
    List<Integer> before = pairs.stream().map(pair -> pair.told.times()).toList();
    for (int i = 1; i <= 5; i++) {
      poller.poll(0);
      int polls = i;
      assertThat(pairs.stream().map(pair -> pair.told.times()).toList())
          .isEqualTo(before.stream().map(times -> times + polls).toList());
    }
  }

  @Test
  void doesNotTellASocketThatAnEarlierHandlerHasClosed() throws IOException {
    Pair one = pair();
    Pair other = pair();
    one.react = ops -> other.socket.close();
    other.react = ops -> one.socket.close();
    one.socket.interest(0);
    other.socket.interest(0);
    one.client.getOutputStream().write(1);
    other.client.getOutputStream().write(1);
    poller.poll(0);
    one.socket.interest(Ready.READ);
    other.socket.interest(Ready.READ);
    until(() -> one.told.times() + other.told.times() > 0);
    poller.poll(0);
    assertThat(List.of(one.told.times(), other.told.times())).containsOnlyOnce(0);
  }

  @Test
  void doesNotTellANewSocketWhatWasMeantForAnOldOne() throws IOException {
    Pair old = pair();
    old.client.getOutputStream().write(1);
    Pair closer = pair();
    List<Pair> fresh = new ArrayList<>();
    closer.react =
        ops -> {
          if (fresh.isEmpty()) {
            old.socket.close();
            closer.socket.interest(0);
            fresh.add(pair()); // takes the descriptor that has become free
          }
        };
    closer.client.getOutputStream().write(1);
    until(() -> !fresh.isEmpty());
    poller.poll(0);
    poller.poll(0);
    assertThat(fresh.getFirst().told.times()).isZero();
    fresh.getFirst().client.getOutputStream().write(1);
    until(() -> fresh.getFirst().told.times() > 0);
  }

  @Test
  void tellsNothingToASocketThatClosesItself() throws IOException {
    Pair pair = pair();
    pair.react = ops -> pair.socket.close();
    pair.client.getOutputStream().write(1);
    until(() -> pair.told.times() > 0);
    poller.poll(0);
    assertThat(pair.told.times()).isEqualTo(1);
    assertThat(pair.told.failures).isEmpty();
  }

  @Test
  void passesAFailureToTheHandlerAndGoesOn() throws IOException {
    Pair failing = pair();
    failing.react =
        ops -> {
          failing.socket.interest(0);
          throw new IllegalStateException("on purpose");
        };
    Pair fine = pair();
    failing.client.getOutputStream().write(1);
    fine.client.getOutputStream().write(1);
    until(() -> failing.told.times() > 0 && fine.told.times() > 0);
    assertThat(failing.told.failures).singleElement().asString().contains("on purpose");
  }

  @Test
  void losesNothingHoweverInterestIsSwitched() throws Exception {
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      byte[] content = new byte[2 * 1024 * 1024];
      random.nextBytes(content);
      Pair pair = pair();
      long chunks = random.nextLong();
      Thread writer =
          Thread.ofPlatform().start(() -> sendInChunks(pair.client, content, new Random(chunks)));
      ByteBuffer target = ByteBuffer.allocateDirect(64 * 1024);
      byte[] received = new byte[content.length];
      int[] count = {0};
      boolean[] ended = {false};
      pair.react =
          ops -> {
            if (random.nextInt(4) > 0) {
              int n = pair.socket.read(target.clear().limit(1 + random.nextInt(64 * 1024)));
              ended[0] = n < 0;
              target.flip().get(received, count[0], Math.max(n, 0));
              count[0] += Math.max(n, 0);
            }
            pair.socket.interest(random.nextInt(3) == 0 ? 0 : Ready.READ);
          };
      until(
          () -> {
            if (random.nextInt(3) == 0) {
              pair.socket.interest(random.nextBoolean() ? Ready.READ : 0);
            } else {
              pair.socket.interest(Ready.READ);
            }
            return ended[0];
          },
          TimeUnit.MICROSECONDS.toNanos(10));
      writer.join();
      assertThat(count[0]).isEqualTo(content.length);
      assertThat(received).isEqualTo(content);
      assertThat(pair.told.failures).isEmpty();
    }
  }

  @Test
  void servesManyConnectionsThatComeAndGo() throws IOException {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < 1500; i++) {
      pairs.add(echoing());
    }
    for (int round = 0; round < 3; round++) {
      for (Pair pair : pairs) {
        pair.told.ops.clear();
        pair.client.getOutputStream().write(round);
      }
      until(() -> pairs.stream().allMatch(pair -> pair.told.times() == 1));
      for (Pair pair : pairs) {
        assertThat(pair.client.getInputStream().read()).isEqualTo(round);
      }
      for (int i = 0; i < pairs.size(); i += 7) {
        pairs.get(i).socket.close();
        assertThat(pairs.get(i).client.getInputStream().read()).isEqualTo(-1);
        pairs.set(i, echoing());
      }
    }
  }

  // ---- waiting ----

  @Test
  void saysThatTheWaitIsOverOnceBeforeAnyHandler() throws IOException {
    Pair pair = pair();
    List<Integer> seen = new ArrayList<>();
    pair.react = ops -> seen.add(waits);
    pair.client.getOutputStream().write(1);
    while (seen.isEmpty()) {
      int before = waits;
      poller.poll(PATIENCE_NANOS);
      assertThat(waits).isEqualTo(before + 1);
    }
    assertThat(seen).containsExactly(waits);
  }

  @Test
  void waitsAsLongAsItMay() throws IOException {
    long start = System.nanoTime();
    poller.poll(TimeUnit.MICROSECONDS.toNanos(20_500));
    assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MICROSECONDS.toNanos(20_000));
    poller.poll(0);
    assertThat(waits).isEqualTo(2);
  }

  @Test
  void isWokenFromTheNextWaitToo() throws IOException {
    poller.wakeUp();
    poller.wakeUp();
    poller.poll(Poller.FOREVER);
    assertThat(waits).isEqualTo(1);
  }

  @Test
  void ignoresAWakeUpThatComesTooLate() throws IOException {
    Poller late = transport.openPoller(() -> {});
    late.close();
    late.close();
    late.wakeUp();
  }

  @Test
  void losesNoWakeUpUnderStress() throws Exception {
    int threads = 4;
    int tasks = 50_000;
    EventLoop loop = new EventLoop("test", transport);
    loop.start();
    AtomicInteger ran = new AtomicInteger();
    List<Thread> senders = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      senders.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int sent = 0; sent < tasks; sent++) {
                      loop.execute(ran::incrementAndGet);
                      if (sent % 64 == 0) {
                        awaitAtLeast(ran, sent); // so that the loop falls asleep in between
                      }
                    }
                  }));
    }
    for (Thread sender : senders) {
      sender.join();
    }
    awaitAtLeast(ran, threads * tasks);
    loop.stop(() -> {});
    loop.join();
    assertThat(ran.get()).isEqualTo(threads * tasks);
  }

  // ---- helpers ----

  /** A connection: the test's end, and the transport's with what its handler was told. */
  private static final class Pair {
    final Socket client;
    final StreamSocket socket;
    final Told told;
    Told.@Nullable Reaction react;

    Pair(Socket client, StreamSocket socket) {
      this.client = client;
      this.socket = socket;
      this.told =
          new Told(
              ops -> {
                if (react != null) {
                  react.on(ops);
                }
              });
    }
  }

  private Pair echoing() throws IOException {
    Pair pair = pair();
    ByteBuffer bytes = ByteBuffer.allocateDirect(8);
    pair.react =
        ops -> {
          pair.socket.read(bytes.clear());
          pair.socket.write(bytes.flip());
        };
    return pair;
  }

  private Socket connect() throws IOException {
    InetSocketAddress address = (InetSocketAddress) listener.localAddress();
    Socket client = new Socket(address.getAddress(), address.getPort());
    client.setTcpNoDelay(true);
    client.setSoTimeout(PATIENCE_MILLIS);
    open.add(client);
    return client;
  }

  /** A connection that is attached and interested in reading. */
  private Pair pair() throws IOException {
    Socket client = connect();
    StreamSocket socket = null;
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (socket == null && System.nanoTime() - end < 0) {
      socket = listener.accept();
    }
    Pair pair = new Pair(client, Objects.requireNonNull(socket));
    open.add(pair.socket);
    pair.socket.attach(poller, pair.told);
    pair.socket.interest(Ready.READ);
    return pair;
  }

  private StreamSocket acceptOn(InetSocketAddress address, InetAddress reachedBy)
      throws IOException {
    Listener other = transport.listen(address, BACKLOG, false);
    open.add(other);
    Told told = new Told();
    other.attach(poller, told);
    int port = ((InetSocketAddress) other.localAddress()).getPort();
    open.add(new Socket(reachedBy, port));
    until(() -> told.times() > 0);
    StreamSocket socket = Objects.requireNonNull(other.accept());
    open.add(socket);
    return socket;
  }

  /** Polls until something is so. */
  private void until(BooleanSupplier condition) throws IOException {
    until(condition, TimeUnit.MILLISECONDS.toNanos(100));
  }

  private void until(BooleanSupplier condition, long pollNanos) throws IOException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("out of patience").isNegative();
      poller.poll(pollNanos);
    }
  }

  /** Writes until the socket takes no more; returns how many bytes it has taken. */
  private static long fill(StreamSocket socket) throws IOException {
    ByteBuffer source = ByteBuffer.allocateDirect(256 * 1024);
    long sent = 0;
    int refused = 0;
    while (refused < 3) {
      int n = socket.write(source.clear());
      sent += n;
      refused = n == 0 ? refused + 1 : 0;
    }
    return sent;
  }

  private static void sendInChunks(Socket client, byte[] content, Random random) {
    try {
      for (int sent = 0; sent < content.length; ) {
        int n = Math.min(1 + random.nextInt(40_000), content.length - sent);
        client.getOutputStream().write(content, sent, n);
        sent += n;
      }
      client.shutdownOutput();
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static void awaitAtLeast(AtomicInteger counter, int value) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (counter.get() < value && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
  }

  private static ByteBuffer buffer(boolean direct, String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    return direct
        ? ByteBuffer.allocateDirect(bytes.length).put(bytes).flip()
        : ByteBuffer.wrap(bytes);
  }
}
