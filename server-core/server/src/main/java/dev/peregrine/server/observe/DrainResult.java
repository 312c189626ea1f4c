package dev.peregrine.server.observe;

import java.time.Duration;

/**
 * The result of {@code HttpServer.drain}: how long the server took to end, and what its end has cut
 * short. Each request counts once. Requests of HTTP/1 that a client has sent before the response to
 * its previous one was complete don't count, because no handler has seen them.
 *
 * @param incompleteRequests requests whose head had not arrived to its end, or whose handler waited
 *     for content, and whose response had not begun
 * @param unansweredRequests other requests whose response had not begun
 * @param incompleteResponses responses that had begun, and were not sent to their end
 * @param upgradedConnections WebSockets and other connections or streams that had left HTTP
 * @param blockedLoops event loops that a handler still blocked. They close their connections when
 *     the handler returns; those are not in the other counts
 * @param duration from the first call of {@code drain} until the server was closed
 */
public record DrainResult(
    int incompleteRequests,
    int unansweredRequests,
    int incompleteResponses,
    int upgradedConnections,
    int blockedLoops,
    Duration duration) {

  /** Returns true if nothing was cut short. */
  public boolean isComplete() {
    return incompleteRequests == 0
        && unansweredRequests == 0
        && incompleteResponses == 0
        && upgradedConnections == 0
        && blockedLoops == 0;
  }
}
