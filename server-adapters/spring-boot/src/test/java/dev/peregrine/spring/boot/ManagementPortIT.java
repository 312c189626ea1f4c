package dev.peregrine.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Actuator on a port of its own, and what is counted. */
@Timeout(300)
class ManagementPortIT {
  @TempDir Path folder;

  @Test
  void servesManagementOnItsOwnPort() throws Exception {
    Path log = folder.resolve("access.log");
    try (App app =
        App.start(
            "management.server.port=0",
            "management.endpoints.web.exposure.include=*",
            "management.endpoint.health.probes.enabled=true",
            "peregrine.access-log.file=" + log,
            "peregrine.unix-socket.path=" + folder.resolve("shop.sock"))) {
      int port =
          Integer.parseInt(
              app.context.getEnvironment().getRequiredProperty("local.management.port"));

      assertThat(port).isNotEqualTo(app.port());
      assertThat(app.get(port, "/actuator/health").body()).contains("\"status\":\"UP\"");
      assertThat(app.get(port, "/actuator/health/readiness").statusCode()).isEqualTo(200);
      assertThat(app.get(app.port(), "/actuator/health").statusCode()).isEqualTo(404);
      assertThat(app.get(port, "/items/1").statusCode()).isEqualTo(404);
      assertThat(app.get("/items/1").statusCode()).isEqualTo(200);

      Set<String> meters = meters(app);
      while (!meters.contains("http.server.requests")) { // created after the first response
        Thread.sleep(1);
        meters = meters(app);
      }
      assertThat(meters)
          .contains("http.server.requests", "peregrine.open_connections", "peregrine.network.io")
          .noneMatch(name -> name.startsWith("http.server.request."));
    }
    assertThat(Files.readString(log))
        .contains("/items/1")
        .doesNotContain("\"GET /actuator/health/readiness");
  }

  private static Set<String> meters(App app) {
    return app.context.getBean(MeterRegistry.class).getMeters().stream()
        .map(meter -> meter.getId().getName())
        .collect(Collectors.toSet());
  }
}
