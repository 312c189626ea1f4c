package dev.peregrine.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.http.Handler;
import dev.peregrine.http.HttpException;
import dev.peregrine.http.Request;
import dev.peregrine.http.Response;
import dev.peregrine.testing.RawResponse;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Exchanges that fail after {@code async()}: the error response has the fields that filters set
 * before.
 */
final class AsyncFailureIT {
  @RegisterExtension final Servers servers = new Servers();

  /** The failures, with the status of the response. */
  enum Failure {
    THROWN(409) {
      @Override
      void apply(Request request, Response response) {
        response.async();
        throw new HttpException(409, "intended");
      }
    },
    EXECUTED(409) {
      @Override
      void apply(Request request, Response response) {
        response
            .async()
            .onLoop(
                () -> {
                  throw new HttpException(409, "intended");
                });
      }
    },
    SUPPLIER(409) {
      @Override
      void apply(Request request, Response response) {
        response.async(
            () -> {
              throw new HttpException(409, "intended");
            });
      }
    },
    NO_STAGE(500) {
      @Override
      void apply(Request request, Response response) {
        response.async(() -> null);
      }
    },
    STAGE(409) {
      @Override
      void apply(Request request, Response response) {
        response.async(() -> CompletableFuture.failedFuture(new HttpException(409, "intended")));
      }
    },
    STAGE_WITHOUT_ANSWER(500) {
      @Override
      void apply(Request request, Response response) {
        response.async(() -> CompletableFuture.completedFuture("no answer"));
      }
    },
    CONTENT(409) {
      @Override
      void apply(Request request, Response response) {
        response.async();
        request
            .body()
            .receiveAll(
                100,
                content -> {
                  throw new HttpException(409, "intended");
                });
      }
    },
    TOO_LARGE(413) {
      @Override
      void apply(Request request, Response response) {
        response.async();
        request.body().receiveAll(1, content -> {});
      }
    },
    LATE(503) {
      @Override
      void apply(Request request, Response response) {
        response.async(Duration.ofMillis(1));
      }
    };

    private final int status;

    Failure(int status) {
      this.status = status;
    }

    abstract void apply(Request request, Response response);
  }

  @ParameterizedTest
  @EnumSource
  void keepsWhatWasSetBefore(Failure failure) {
    Handler filtered =
        (request, response) -> {
          response
              .header("Access-Control-Allow-Origin", "*")
              .header("ETag", "\"of what is not sent\"");
          failure.apply(request, response);
        };
    HttpServer server = servers.start(filtered);

    RawResponse response = servers.connect(server).post("/", Requests.content(10)).read();

    assertThat(response.status()).isEqualTo(failure.status);
    assertThat(response.header("Access-Control-Allow-Origin")).isEqualTo("*");
    assertThat(response.header("ETag")).isNull();
    servers.log().take(Level.WARNING);
  }
}
