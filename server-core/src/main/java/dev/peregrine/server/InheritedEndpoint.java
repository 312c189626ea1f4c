package dev.peregrine.server;

import dev.peregrine.base.Range;
import dev.peregrine.linux.ListeningSocket;
import dev.peregrine.proxy.TrustedPeers;
import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.HttpChoice;
import dev.peregrine.server.handover.ActivatedSockets;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Listening sockets that this process was started with; made by {@link Endpoint#descriptor} and
 * {@link Endpoint#activated}. They are stream sockets of TCP or of the Unix domain. They need the
 * epoll transport.
 *
 * <p>The server uses duplicates of their descriptors, and closes only these. So when the server has
 * stopped, the system still takes connections, for the next process that has the same sockets. The
 * file of a Unix domain socket is not deleted.
 */
public final class InheritedEndpoint extends Endpoint {
  private static final int NONE = -1;

  private final int number; // NONE for sockets of systemd
  private final @Nullable String name; // null for all of them

  private InheritedEndpoint(int number, @Nullable String name, EndpointOptions options) {
    super(options);
    this.number = number;
    this.name = name;
  }

  static InheritedEndpoint ofDescriptor(int number) {
    Range.checkAtLeast("descriptor", number, 0);
    return new InheritedEndpoint(number, null, EndpointOptions.DEFAULT);
  }

  static InheritedEndpoint ofSystemd(@Nullable String name) {
    return new InheritedEndpoint(NONE, name, EndpointOptions.DEFAULT);
  }

  /**
   * Returns new descriptors for the sockets, which the caller closes.
   *
   * @throws IOException if the socket does not exist or can't be listened on
   */
  int[] duplicate() throws IOException {
    List<Integer> numbers =
        number == NONE ? ActivatedSockets.ofProcess().descriptors(name) : List.of(number);
    int[] duplicates = new int[numbers.size()];
    int count = 0;
    try {
      for (int original : numbers) {
        ListeningSocket.prepare(original);
        duplicates[count++] = ListeningSocket.duplicate(original);
      }
      return duplicates;
    } catch (Throwable failure) {
      for (int i = 0; i < count; i++) {
        ListeningSocket.close(duplicates[i]);
      }
      throw failure;
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>It replaces the backlog that the sockets were created with.
   */
  @Override
  public InheritedEndpoint withBacklog(int count) {
    return with(options.withBacklog(count));
  }

  @Override
  public InheritedEndpoint withConnectionsMax(int count) {
    return with(options.withConnectionsMax(count));
  }

  @Override
  public InheritedEndpoint withHttp2(boolean on) {
    return with(optionsWithHttp2(on));
  }

  @Override
  public InheritedEndpoint withHttp2Only() {
    return with(optionsSpeaking(HttpChoice.HTTP_2));
  }

  @Override
  public InheritedEndpoint withTls(Tls tls) {
    return with(optionsBehind(tls));
  }

  @Override
  public InheritedEndpoint withProxyProtocol(TrustedPeers peers) {
    return with(optionsBehind(peers));
  }

  @Override
  InheritedEndpoint with(EndpointOptions other) {
    return new InheritedEndpoint(number, name, other);
  }

  @Override
  public String toString() {
    if (number != NONE) {
      return "descriptor " + number;
    }
    return name == null ? "the sockets of systemd" : "the sockets of systemd named " + name;
  }
}
