package dev.peregrine.server.transport.epoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.peregrine.linux.Architecture;
import dev.peregrine.linux.Kernel;
import dev.peregrine.server.transport.Poller;
import dev.peregrine.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The properties that only the epoll transport has. */
class EpollTransportTest {
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_NODELAY = 1;

  @Test
  void canBeUsedOnLinuxWhenNativeAccessIsEnabled() {
    assumeTrue(
        System.getProperty("os.name").equals("Linux") && Architecture.CURRENT != null,
        "epoll is used on Linux, x86-64 and AArch64");
    assertThat(EpollTransport.problem()).isNull();
    assertThat(EpollTransport.open().name()).isEqualTo("epoll");
  }

  @Test
  void acceptsSocketsThatSendAtOnce() throws Throwable {
    assumeTrue(EpollTransport.problem() == null, EpollTransport::problem);
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (EpollListener listener = EpollListener.listen(anyPort, 1, false);
        Socket client = new Socket()) {
      client.connect(listener.localAddress());
      try (EpollSocket socket = accept(listener)) {
        assertThat(option(socket.fd, IPPROTO_TCP, TCP_NODELAY)).isNotZero();
      }
    }
  }

  /** The client may be connected a moment before there is a socket to accept. */
  private static EpollSocket accept(EpollListener listener) {
    AtomicReference<@Nullable EpollSocket> accepted = new AtomicReference<>();
    Await.until(
        "a socket is accepted",
        () -> {
          try {
            accepted.set((EpollSocket) listener.accept());
          } catch (IOException failure) {
            throw new UncheckedIOException(failure);
          }
          return accepted.get() != null;
        });
    return Objects.requireNonNull(accepted.get());
  }

  @Test
  void opensPollersThatWork() throws IOException {
    assumeTrue(EpollTransport.problem() == null, EpollTransport::problem);
    try (Poller poller = EpollTransport.open().openPoller()) {
      assertThat(((EpollPoller) poller).works()).isTrue();
    }
  }

  @SuppressWarnings("restricted") // tests run with native access
  private static int option(int fd, int level, int name) throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle getsockopt =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("getsockopt"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG));
    Kernel kernel = new Kernel();
    kernel.scratch.set(ValueLayout.JAVA_INT, 8, Integer.BYTES);
    long address = kernel.scratchAddress;
    int result = (int) getsockopt.invokeExact(fd, level, name, address, address + 8);
    assertThat(result).isZero();
    return kernel.scratch.get(ValueLayout.JAVA_INT, 0);
  }
}
