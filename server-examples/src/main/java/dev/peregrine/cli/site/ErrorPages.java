package dev.peregrine.cli.site;

import dev.peregrine.base.Log;
import dev.peregrine.http.ForwardingResponse;
import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.PreparedFields;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.protocol.HeaderName;
import dev.peregrine.protocol.HttpMethod;
import dev.peregrine.protocol.KnownHeader;
import java.lang.System.Logger.Level;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * A site whose files {@code 403.html}, {@code 404.html} and so on, if they exist, are the content
 * of responses with that status. Status and fields of the response stay.
 */
final class ErrorPages implements Handler {
  private static final int NOT_FOUND = HttpStatus.NOT_FOUND.code();
  private static final int SERVER_ERROR = HttpStatus.INTERNAL_SERVER_ERROR.code();

  /** Fields that say which file and which of its bytes are meant. */
  private static final Set<String> OF_FILES = Set.of("etag", "last-modified", "accept-ranges");

  private final Handler site;
  private final Handler files;

  /**
   * Creates the handler.
   *
   * @param site answers requests
   * @param files has the pages
   */
  ErrorPages(Handler site, Handler files) {
    this.site = site;
    this.files = files;
  }

  @Override
  public void handle(Request request, Response response) throws Exception {
    WithPages with = new WithPages(request, response);
    try {
      site.handle(request, with);
    } catch (Exception failure) {
      with.fail(failure);
    }
  }

  private static boolean isOfFile(String name) {
    return OF_FILES.contains(name.toLowerCase(Locale.ROOT));
  }

  /** A response whose errors have pages. */
  private final class WithPages extends ForwardingResponse {
    private final Request request;
    private final Response response;

    WithPages(Request request, Response response) {
      super(response);
      this.request = request;
      this.response = response;
    }

    @Override
    public void fail(Throwable cause) {
      int status = cause instanceof HttpException known ? known.status() : SERVER_ERROR;
      if (response.isCommitted() || response.header(HeaderName.ETAG) != null) {
        super.fail(cause);
        return;
      }
      try {
        if (cause instanceof HttpException known) {
          addFields(known.headers());
        }
        // A file that is absent may appear, and a page isn't the file.
        response
            .status(status)
            .header(HeaderName.CACHE_CONTROL, status == NOT_FOUND ? "no-cache" : "no-store");
        files.handle(new ForPage(request, status), new OrPlain(response, cause, status));
      } catch (Exception impossible) {
        super.fail(cause);
      }
    }

    private void addFields(PreparedFields fields) {
      for (int i = 0; i < fields.count(); i++) {
        String name = fields.name(i);
        if (!isOfFile(name) && !name.equalsIgnoreCase(HeaderName.VARY)) { // the page adds its own
          response.header(name, Objects.requireNonNull(fields.value(name)));
        }
      }
    }
  }

  /**
   * A response with a page; without one, with the server's line. It has no validators: those of the
   * page would be taken for those of the path.
   */
  private static final class OrPlain extends WithoutFields {
    private final Throwable cause;
    private final int status;
    private volatile boolean isPlain;

    OrPlain(Response response, Throwable cause, int status) {
      super(response, ErrorPages::isOfFile);
      this.cause = cause;
      this.status = status;
      if (status >= SERVER_ERROR) { // the server logs only failures that it responds to itself
        response.onComplete(outcome -> log());
      }
    }

    private void log() {
      if (!isPlain) {
        Log.add(Level.ERROR, "a request failed with " + status, cause);
      }
    }

    @Override
    public void fail(Throwable missing) {
      isPlain = true;
      super.fail(cause);
    }
  }

  /**
   * The request for a page: it reads, and is without a range and conditions, which are about
   * another file.
   */
  private static final class ForPage extends AtPath {
    ForPage(Request request, int status) {
      super(request, "/" + status + ".html");
    }

    @Override
    public HttpMethod method() {
      return super.method() == HttpMethod.HEAD ? HttpMethod.HEAD : HttpMethod.GET;
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
