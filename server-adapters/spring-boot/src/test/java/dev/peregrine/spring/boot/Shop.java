package dev.peregrine.spring.boot;

import java.time.Duration;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A small application, as a user would write it. */
@SpringBootApplication
@RestController
public class Shop {
  /** Starts the shop by itself. */
  public static void main(String[] args) {
    SpringApplication.run(Shop.class, args);
  }

  @GetMapping("/items/{id}")
  Mono<Map<String, String>> item(@PathVariable("id") String id) {
    return Mono.just(Map.of("id", id));
  }

  @GetMapping("/slow")
  Mono<String> slow() {
    return Mono.delay(Duration.ofMillis(20)).thenReturn("slow");
  }

  @GetMapping("/large")
  Mono<String> large() {
    return Mono.just("x".repeat(10_000));
  }

  @GetMapping("/scheme")
  Mono<String> scheme(ServerHttpRequest request) {
    return Mono.just(request.getURI().getScheme());
  }

  @GetMapping("/loader")
  String loader() {
    return String.valueOf(loaderOfStart.equals(Thread.currentThread().getContextClassLoader()));
  }

  @PostMapping("/length")
  Mono<Integer> length(@RequestBody byte[] content) {
    return Mono.just(content.length);
  }

  private final ClassLoader loaderOfStart = Thread.currentThread().getContextClassLoader();
}
