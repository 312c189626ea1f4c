package dev.peregrine.cli.site;

import dev.peregrine.http.ForwardingRequest;
import dev.peregrine.http.Request;

/** A request with another path. */
class AtPath extends ForwardingRequest {
  private final String path;

  AtPath(Request request, String path) {
    super(request);
    this.path = path;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public boolean pathIs(String other) {
    return path.equals(other);
  }
}
