package dev.peregrine.cli.site;

import dev.peregrine.http.ForwardingRequest;
import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;

/**
 * The files of a single-page application: a path without a file gets the index, because the page
 * itself knows what it stands for. A path with a dot in its last segment names a file, and stays
 * not found.
 */
final class SinglePage implements Handler {
  private static final int NOT_FOUND = 404;

  private final Handler files;
  private final Handler index;

  /**
   * Creates the handler.
   *
   * @param files answers requests
   * @param index has the page, by the path {@code /}
   */
  SinglePage(Handler files, Handler index) {
    this.files = files;
    this.index = index;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    files.handle(request, new WithIndex(request, response));
  }

  /** A response that becomes the index if it would be 404. */
  private final class WithIndex extends ForwardingResponse {
    private final Request request;
    private final Response response;

    WithIndex(Request request, Response response) {
      super(response);
      this.request = request;
      this.response = response;
    }

    @Override
    public void fail(Throwable cause) {
      boolean isMissing = cause instanceof HttpException failure && failure.status() == NOT_FOUND;
      if (!isMissing || namesFile(request.path())) {
        super.fail(cause);
        return;
      }
      try {
        index.handle(new ForIndex(request), response);
      } catch (Exception failure) {
        super.fail(failure);
      }
    }
  }

  private static boolean namesFile(String path) {
    return path.indexOf('.', path.lastIndexOf('/')) >= 0;
  }

  /** The request for the index. */
  private static final class ForIndex extends ForwardingRequest {
    ForIndex(Request request) {
      super(request);
    }

    @Override
    public String path() {
      return "/";
    }
  }
}
