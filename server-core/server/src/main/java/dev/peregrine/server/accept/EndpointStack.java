package dev.peregrine.server.accept;

import dev.peregrine.server.config.ServerLimits;
import dev.peregrine.server.layer.SocketLayer;
import dev.peregrine.server.loop.EventLoop;
import dev.peregrine.server.transport.StreamSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The layers and the protocol of an endpoint. Immutable.
 *
 * @param layers in order, the one next to the network first
 */
public record EndpointStack(List<SocketLayer> layers, ProtocolChoice protocol) {
  /** HTTP on plain sockets. */
  static final EndpointStack HTTP = new EndpointStack(List.of(), HttpChoice.ALL);

  /** Returns this stack with one more layer, next to the protocol. */
  public EndpointStack behind(SocketLayer layer) {
    return new EndpointStack(Stream.concat(layers.stream(), Stream.of(layer)).toList(), protocol);
  }

  /** Returns this stack with one more layer, next to the network. */
  public EndpointStack before(SocketLayer layer) {
    return new EndpointStack(Stream.concat(Stream.of(layer), layers.stream()).toList(), protocol);
  }

  /** Returns this stack without layers of the same class as another one. */
  public EndpointStack withoutLike(SocketLayer other) {
    return new EndpointStack(
        layers.stream().filter(layer -> layer.getClass() != other.getClass()).toList(), protocol);
  }

  /** Returns what an endpoint speaks and how, for diagnosis. */
  public String describe() {
    return layers.stream()
        .map(layer -> ", " + layer.describe())
        .collect(Collectors.joining("", protocol.toString(), ""));
  }

  /** Returns this stack with another protocol. */
  public EndpointStack speaking(ProtocolChoice choice) {
    return new EndpointStack(layers, choice);
  }

  /** Returns this stack for the connections of one event loop, which doesn't run yet. */
  EndpointStack on(EventLoop loop, ServerLimits limits) {
    List<SocketLayer> begun = new ArrayList<>();
    EndpointStack stack = new EndpointStack(begun, protocol);
    try {
      for (SocketLayer layer : layers) {
        begun.add(layer.agreeingOn(protocol::spoken).on(loop, limits));
      }
      return stack;
    } catch (Throwable failure) {
      stack.close();
      throw failure;
    }
  }

  /** Ends what {@link #on} has begun. */
  void close() {
    layers.forEach(SocketLayer::close);
  }

  /** Puts all layers around a socket; closes it if one fails. On the loop's thread. */
  StreamSocket wrap(StreamSocket socket, EventLoop loop) throws IOException {
    StreamSocket outermost = socket;
    try {
      for (SocketLayer layer : layers) {
        outermost = layer.wrap(outermost, loop);
      }
      return outermost;
    } catch (Throwable failure) {
      outermost.close();
      throw failure;
    }
  }
}
