package dev.peregrine.cli.site;

import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;

/** Redirects requests that came without TLS to the same host and path by HTTPS (308). */
final class ToHttps implements Handler {
  private static final int DEFAULT_PORT = 443;

  private final String port;
  private final Handler site;

  ToHttps(int port, Handler site) {
    this.port = port == DEFAULT_PORT ? "" : ":" + port;
    this.site = site;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    if (request.isSecure()) {
      site.handle(request, response);
      return;
    }
    String host = request.host();
    if (host == null || host.isEmpty() || !request.path().startsWith("/")) {
      throw new HttpException(HttpStatus.BAD_REQUEST.code(), "HTTPS is required");
    }
    String query = request.query();
    response
        .status(HttpStatus.PERMANENT_REDIRECT)
        .header(
            HeaderName.LOCATION,
            "https://" + name(host) + port + request.path() + (query == null ? "" : "?" + query))
        .text("HTTPS is required.\n");
  }

  private static String name(String host) {
    int colon = host.indexOf(':', host.lastIndexOf(']') + 1);
    return colon < 0 ? host : host.substring(0, colon);
  }
}
