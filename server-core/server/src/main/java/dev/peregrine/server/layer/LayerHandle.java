package dev.peregrine.server.layer;

import dev.peregrine.server.config.EndpointLayer;

/** A layer whose own methods a program doesn't see. */
public abstract class LayerHandle implements EndpointLayer {
  private final SocketLayer layer;

  /** Creates a handle of a layer. */
  protected LayerHandle(SocketLayer layer) {
    this.layer = layer;
  }

  /**
   * Returns the layer behind its public type.
   *
   * @throws IllegalArgumentException if it isn't Peregrine's
   */
  public static SocketLayer of(EndpointLayer layer) {
    if (layer instanceof LayerHandle handle) {
      return handle.layer;
    }
    if (layer instanceof SocketLayer own) {
      return own;
    }
    throw new IllegalArgumentException("not a layer of Peregrine: " + layer);
  }
}
