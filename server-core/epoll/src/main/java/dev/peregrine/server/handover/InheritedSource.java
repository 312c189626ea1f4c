package dev.peregrine.server.handover;

import dev.peregrine.base.Range;
import dev.peregrine.linux.ListeningSocket;
import dev.peregrine.server.accept.EndpointOptions;
import dev.peregrine.server.accept.ListenerSource;
import dev.peregrine.server.transport.Listener;
import dev.peregrine.server.transport.Transport;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Listening sockets that this process was started with. The server uses duplicates of them. */
final class InheritedSource implements ListenerSource {
  private static final int NONE = -1;

  private final int number; // NONE for sockets of systemd
  private final @Nullable String name; // null for all of them
  private final EndpointOptions options;

  private InheritedSource(int number, @Nullable String name, EndpointOptions options) {
    this.number = number;
    this.name = name;
    this.options = options;
  }

  /** Returns the source of one socket, by its descriptor. */
  public static InheritedSource ofDescriptor(int number) {
    Range.checkAtLeast("descriptor", number, 0);
    return new InheritedSource(number, null, EndpointOptions.DEFAULT);
  }

  /** Returns the source of the sockets of systemd that have a name; null for all of them. */
  public static InheritedSource ofSystemd(@Nullable String name) {
    return new InheritedSource(NONE, name, EndpointOptions.DEFAULT);
  }

  @Override
  public InheritedSource with(EndpointOptions other) {
    return new InheritedSource(number, name, other);
  }

  @Override
  public EndpointOptions options() {
    return options;
  }

  @Override
  public void open(Transport transport, int loops, List<Listener> opened) throws IOException {
    for (int descriptor : duplicate()) {
      Listener listener = adopt(transport, descriptor);
      listener.setShared(true);
      opened.add(listener);
    }
  }

  /**
   * Returns new descriptors for the sockets, which the caller closes.
   *
   * @throws IOException if the socket does not exist or can't be listened on
   */
  private int[] duplicate() throws IOException {
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

  @Override
  public boolean isInherited() {
    return true;
  }

  @Override
  public String toString() {
    if (number != NONE) {
      return "descriptor " + number;
    }
    return name == null ? "the sockets of systemd" : "the sockets of systemd named " + name;
  }
}
