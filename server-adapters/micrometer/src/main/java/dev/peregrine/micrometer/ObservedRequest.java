package dev.peregrine.micrometer;

import dev.peregrine.http.HttpException;
import dev.peregrine.http.HttpStatus;
import dev.peregrine.http.Outcome;
import dev.peregrine.http.context.CallContext;
import io.micrometer.observation.Observation;
import java.util.function.Consumer;

/** The observation of an exchange: its scope is open in each call, and it stops with it. */
final class ObservedRequest implements CallContext, Runnable, Consumer<Outcome> {
  private final Observation observation;
  private final RequestContext context;

  ObservedRequest(Observation observation, RequestContext context) {
    this.observation = observation;
    this.context = context;
  }

  @Override
  public void run(Call call) throws Exception {
    try (Observation.Scope _ = observation.openScope()) {
      call.run();
    } catch (Throwable failure) {
      boolean ofClient =
          failure instanceof HttpException known
              && known.status() < HttpStatus.INTERNAL_SERVER_ERROR.code();
      if (!ofClient) {
        observation.error(failure);
      }
      throw failure;
    }
  }

  /** The head of the response is about to be sent. */
  @Override
  public void run() {
    context.sent();
  }

  /** The exchange has ended. */
  @Override
  public void accept(Outcome outcome) {
    context.ended(outcome);
    observation.stop();
  }
}
