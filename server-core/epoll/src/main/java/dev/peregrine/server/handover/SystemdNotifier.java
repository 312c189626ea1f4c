package dev.peregrine.server.handover;

import dev.peregrine.linux.Linux;
import dev.peregrine.linux.LocalSocket;
import dev.peregrine.server.HttpServer;
import dev.peregrine.server.accept.Acceptor;
import dev.peregrine.server.start.ServerHandle;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Messages to systemd about the state of this process, for a service of {@code Type=notify}; see
 * sd_notify(3). Thread-safe.
 *
 * <pre>{@code
 * SystemdNotifier systemd = SystemdNotifier.ofProcess();
 * if (systemd != null) {
 *   systemd.ready();
 * }
 * }</pre>
 *
 * <p>The methods throw {@link IOException} if systemd can't take the message.
 */
public final class SystemdNotifier {
  private static final Pattern STORE_NAME = Pattern.compile("[\\x20-\\x39\\x3B-\\x7E]{1,255}");
  private static final long LOOP_SECONDS_MAX = 5; // a handler may block its loop

  private final String address;

  /** Messages to another address than that of this process. */
  SystemdNotifier(String address) {
    this.address = address;
  }

  /**
   * Returns a notifier; null if {@code NOTIFY_SOCKET} is not set.
   *
   * @throws UnsupportedOperationException if this process can't make system calls, with the reason
   */
  public static @Nullable SystemdNotifier ofProcess() {
    String address = System.getenv("NOTIFY_SOCKET");
    if (address == null || address.isEmpty()) {
      return null;
    }
    String problem = Linux.problem();
    if (problem != null) {
      throw new UnsupportedOperationException("systemd can't be notified: " + problem);
    }
    return new SystemdNotifier(address);
  }

  /** Reports that the service is started, or has been reloaded. */
  public void ready() throws IOException {
    send("READY=1");
  }

  /** Reports that the service is ending. */
  public void stopping() throws IOException {
    send("STOPPING=1");
  }

  /**
   * Reports that this process is now the main one of the service, and is ready. For {@link
   * HandOver#beforeReady}: systemd has to know before the old process ends. Needs {@code
   * NotifyAccess=all}.
   */
  public void mainProcess() throws IOException {
    send("MAINPID=" + ProcessHandle.current().pid() + "\nREADY=1");
  }

  /**
   * Has systemd keep the listening sockets of a server while the service is restarted. The next
   * process gets them as {@link InheritedSockets#activated(String)}. Needs {@code
   * FileDescriptorStoreMax=}. From now on the server leaves connections that wait to the next
   * process when it ends.
   *
   * @param name 1 to 255 visible ASCII characters or spaces, without a colon
   * @throws IllegalStateException if the server has ended, or doesn't use the epoll transport
   */
  public void store(String name, HttpServer server) throws IOException {
    checkName(name);
    for (Acceptor acceptor : ServerHandle.of(server).acceptors()) {
      store(name, acceptor);
    }
  }

  /** Stores a socket on its loop, so that it isn't closed meanwhile. */
  private void store(String name, Acceptor acceptor) throws IOException {
    CompletableFuture<Boolean> stored = new CompletableFuture<>();
    acceptor.execute(
        () -> {
          try {
            int descriptor = acceptor.listener().descriptor();
            if (descriptor >= 0) {
              acceptor.listener().setShared(true);
              send("FDSTORE=1\nFDNAME=" + name, descriptor);
            }
            stored.complete(descriptor >= 0);
          } catch (IOException | RuntimeException | Error failure) {
            stored.completeExceptionally(failure);
          }
        });
    try {
      if (!stored.get(LOOP_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the server has no descriptor to store");
      }
    } catch (ExecutionException failure) {
      throw new IOException("a socket could not be stored: " + failure.getCause(), failure);
    } catch (TimeoutException blocked) {
      throw new IOException("an event loop is blocked or has ended", blocked);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  /** Has systemd close the sockets that are stored by a name. */
  public void discard(String name) throws IOException {
    checkName(name);
    send("FDSTOREREMOVE=1\nFDNAME=" + name);
  }

  private static void checkName(String name) {
    if (!STORE_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name is not 1 to 255 visible ASCII characters without a colon");
    }
  }

  private void send(String message, int... descriptors) throws IOException {
    try (LocalSocket socket = LocalSocket.sender(address)) {
      if (!socket.send(message, descriptors)) {
        throw new IOException("systemd takes no messages at " + address + " at present");
      }
    }
  }
}
