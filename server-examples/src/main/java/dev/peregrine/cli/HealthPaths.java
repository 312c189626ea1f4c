package dev.peregrine.cli;

import dev.peregrine.http.Handler;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.server.Health;

/** The paths of health checks in front of a site. */
final class HealthPaths implements Handler {
  private final Handler liveness;
  private final Handler readiness;
  private final Handler site;

  HealthPaths(Health health, Handler site) {
    this.liveness = health.liveness();
    this.readiness = health.readiness();
    this.site = site;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    if (request.pathIs("/livez")) {
      liveness.handle(request, response);
    } else if (request.pathIs("/readyz")) {
      readiness.handle(request, response);
    } else {
      site.handle(request, response);
    }
  }
}
