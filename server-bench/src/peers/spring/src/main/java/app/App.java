package app;

import java.util.List;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One application for all servers: a small object as JSON, a hundred of them streamed, plain text. */
@SpringBootApplication
@RestController
public class App {
  record Item(int id, String name, double price, boolean available) {}

  private final List<Item> items = IntStream.range(0, 100).mapToObj(App::item).toList();

  private static Item item(int id) {
    return new Item(id, "item " + id, id * 1.25, id % 3 == 0);
  }

  @GetMapping("/items/{id}")
  Mono<Item> one(@PathVariable int id) {
    return Mono.just(item(id));
  }

  @GetMapping(path = "/items", produces = MediaType.APPLICATION_NDJSON_VALUE)
  Flux<Item> all() {
    return Flux.fromIterable(items);
  }

  @GetMapping(path = "/text", produces = MediaType.TEXT_PLAIN_VALUE)
  String text() {
    return "Hello, World!";
  }

  public static void main(String[] arguments) throws InterruptedException {
    if (SpringApplication.run(App.class, arguments).getEnvironment().getProperty("app.stay") != null) {
      System.out.println("started without a server");
      Thread.currentThread().join();
    }
  }
}
