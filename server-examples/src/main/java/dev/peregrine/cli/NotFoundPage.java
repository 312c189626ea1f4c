package dev.peregrine.cli;

import dev.peregrine.http.ForwardingRequest;
import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.KnownHeader;

/** Files whose {@code 404.html}, if there is one, is the content of a 404. */
final class NotFoundPage implements Handler {
  private static final int NOT_FOUND = HttpStatus.NOT_FOUND.code();

  private final Handler site;
  private final Handler files;

  /**
   * Creates the handler.
   *
   * @param site answers requests
   * @param files has the page
   */
  NotFoundPage(Handler site, Handler files) {
    this.site = site;
    this.files = files;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    site.handle(request, new WithPage(request, response));
  }

  /** A response whose 404 has the page. */
  private final class WithPage extends ForwardingResponse {
    private final Request request;
    private final Response response;

    WithPage(Request request, Response response) {
      super(response);
      this.request = request;
      this.response = response;
    }

    @Override
    public void fail(Throwable cause) {
      if (!(cause instanceof HttpException failure && failure.status() == NOT_FOUND)) {
        super.fail(cause);
        return;
      }
      try {
        // Not as long as the file that isn't there might be used.
        response.status(NOT_FOUND).header(HeaderName.CACHE_CONTROL, "no-cache");
        files.handle(new ForPage(request), response);
      } catch (Exception impossible) {
        super.fail(impossible);
      }
    }
  }

  /** The request for the page: whole, and without conditions, which are about another file. */
  private static final class ForPage extends ForwardingRequest {
    ForPage(Request request) {
      super(request);
    }

    @Override
    public String path() {
      return "/404.html";
    }

    @Override
    public boolean hasHeader(KnownHeader name) {
      return switch (name) {
        case IF_MATCH, IF_NONE_MATCH, IF_MODIFIED_SINCE, IF_UNMODIFIED_SINCE, IF_RANGE, RANGE ->
            false;
        default -> super.hasHeader(name);
      };
    }
  }
}
