package dev.peregrine.examples

import dev.peregrine.http.AttributeKey
import dev.peregrine.http.Handler
import dev.peregrine.http.HttpException
import dev.peregrine.http.Request
import dev.peregrine.http.Response
import dev.peregrine.http.filter.RequestTimeout
import dev.peregrine.http.route.Routes
import dev.peregrine.server.HttpServer
import dev.peregrine.server.testing.TestRequest
import java.net.Socket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import java.time.Duration
import java.util.function.Supplier
import kotlin.coroutines.resume
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.future
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.suspendCancellableCoroutine
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

// snippet: suspending
/** Runs a handler as a coroutine, which is cancelled if its response can't be sent any more. */
class Suspending(
  private val scope: CoroutineScope,
  private val respond: suspend (Request, Response) -> Unit,
) : Handler {
  override fun handle(request: Request, response: Response) {
    response.async(Supplier {
      val work = scope.future { respond(request, response) }
      response.onAbort { work.cancel(true) }
      response.onClientClosed { // fails the exchange, which calls onAbort
        if (!response.isCommitted()) throw HttpException(499, "the client has gone")
      }
      work
    })
  }
}
// end

// snippet: await-json
/** Reads JSON without blocking a thread. The client gets the response for invalid content. */
suspend fun <T : Any> Request.awaitJson(maxBytes: Int, type: Class<T>): T =
  suspendCancellableCoroutine { waiting ->
    receiveJson(maxBytes, type) { value -> waiting.resume(value) }
  }
// end

/** Handlers in Kotlin, as docs/guide/kotlin.md shows them. See [GuideTextTest]. */
class GuideKotlinTest {
  private companion object {
    const val PATIENCE_MILLIS = 10_000L // only ends a test that would hang
  }

  private class Users {
    suspend fun name(id: Long): String {
      delay(1)
      return if (id == 7L) "Ann" else throw HttpException(404, "no such user")
    }

    suspend fun points(id: Long): Long {
      delay(1)
      return id * 6
    }
  }

  private val users = Users()
  private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)

  private fun routes(): Handler {
    // snippet: suspending-routes
    val routes =
      Routes.builder()
        .get("/users/{id}", Suspending(scope) { request, response ->
          val id = request.pathParameter("id", String::toLong)
          coroutineScope {
            val name = async { users.name(id) }
            val points = async { users.points(id) }
            response.text("${name.await()}: ${points.await()}")
          }
        })
        .build()
    // end
    return routes
  }

  @Test
  fun respondsFromACoroutine() {
    HttpServer.builder().handler(routes()).start().use { server ->
      HttpClient.newHttpClient().use { client ->
        val uri = URI.create("http://127.0.0.1:${server.port()}/users/7")
        val answer = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        assertThat(answer.body()).isEqualTo("Ann: 42")
      }
    }
  }

  @Test
  fun answersFailuresOfACoroutine() {
    assertThat(TestRequest.get("/users/8").send(routes()).status()).isEqualTo(404)
    assertThat(TestRequest.get("/users/x").send(routes()).status()).isEqualTo(400)
  }

  @Test
  fun cancelsACoroutineWhoseResponseIsLate() {
    val cancelled = CompletableDeferred<Unit>()
    val endless = Suspending(scope) { _, _ ->
      try {
        awaitCancellation()
      } finally {
        cancelled.complete(Unit)
      }
    }

    val response =
      TestRequest.get("/").send(RequestTimeout.of(Duration.ofMillis(20), endless))

    assertThat(response.status()).isEqualTo(503)
    runBlocking { cancelled.await() }
  }

  @Test
  fun cancelsACoroutineWhoseClientCloses() {
    val started = CompletableDeferred<Unit>()
    val cancelled = CompletableDeferred<Unit>()
    val endless = Suspending(scope) { _, _ ->
      try {
        started.complete(Unit)
        awaitCancellation()
      } finally {
        cancelled.complete(Unit)
      }
    }

    HttpServer.builder().port(0).handler(endless).start().use { server ->
      Socket("127.0.0.1", server.port()).use { client ->
        client.getOutputStream().write("GET / HTTP/1.1\r\nHost: test\r\n\r\n".toByteArray())
        runBlocking { started.await() }
      }
      runBlocking { withTimeout(PATIENCE_MILLIS) { cancelled.await() } }
    }
  }

  @Test
  fun readsJsonInACoroutine() {
    // snippet: await-json-handler
    val greeting = Suspending(scope) { request, response ->
      val message = request.awaitJson(64 * 1024, Message::class.java)
      response.json(Message(message.message + "!"))
    }
    // end
    val options = HttpServer.builder().json(AvajeJson()).handler(greeting)

    val valid = TestRequest.of("POST", "/").json("{\"message\":\"Hello\"}").send(options)
    val malformed = TestRequest.of("POST", "/").json("{").send(options)

    assertThat(valid.text()).isEqualTo("{\"message\":\"Hello!\"}")
    assertThat(malformed.status()).isEqualTo(400)
  }

  /** Chosen by the compiler for a value that can't be null, or whose nullability is unknown. */
  @JvmName("describeNonNull")
  private fun describe(@Suppress("UNUSED_PARAMETER") value: Any) = "not null"

  /** Chosen by the compiler for a value that can be null. */
  private fun describe(@Suppress("UNUSED_PARAMETER") value: Any?) = "nullable"

  @Test
  fun seesTheNullabilityOfTheApi() {
    val key = AttributeKey.of<String>("key")
    val handler = Handler { request, response ->
      // snippet: kotlin-null
      val name: String = request.header("X-Name") ?: "nobody" // doesn't compile without ?:
      val path: String = request.path() // is never null
      // end
      val seen =
        listOf(
          describe(request.header("X-Name")),
          describe(request.query()),
          describe(request.attribute(key)),
          describe(request.queryParameter("a", String::toInt)),
          describe(response.header("X")),
          describe(request.path()),
          describe(request.headers("X")),
        )
      response.text("$name $path $seen")
    }

    assertThat(TestRequest.get("/p").send(handler).text())
      .isEqualTo("nobody /p [nullable, nullable, nullable, nullable, nullable, not null, not null]")
  }
}
