package dev.peregrine.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.peregrine.server.HttpServer;
import dev.peregrine.testing.Await;
import dev.peregrine.testing.Requests;
import dev.peregrine.testing.Servers;
import java.lang.management.ManagementFactory;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.OpenMBeanAttributeInfo;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The MBean of a server, read as another process does: through a connection of JMX. */
final class MetricsBeanIT {
  @RegisterExtension final Servers servers = new Servers();
  private final ServerMetrics metrics = new ServerMetrics();

  private HttpServer serve(String name) {
    return servers.start(
        (request, response) -> response.text("abc"),
        options -> options.name(name).serverListener(metrics));
  }

  private static ObjectName name(String server) throws Exception {
    return new ObjectName("dev.peregrine:type=Server,name=" + server);
  }

  private static boolean isRegistered(String server) throws Exception {
    return ManagementFactory.getPlatformMBeanServer().isRegistered(name(server));
  }

  @Test
  @SuppressWarnings("BanJNDI") // of the own process
  void isReadThroughAConnection() throws Exception {
    HttpServer server = serve("read");
    metrics.registerMBean();
    servers.connect(server).send(Requests.get("/")).read();
    Await.until("it is counted in full", this::isCounted);
    JMXConnectorServer remote =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi://localhost"),
            null,
            ManagementFactory.getPlatformMBeanServer());
    remote.start();
    try (JMXConnector connector = JMXConnectorFactory.connect(remote.getAddress())) {
      MBeanServerConnection connection = connector.getMBeanServerConnection();

      TabularData durations =
          (TabularData) connection.getAttribute(name("read"), "HttpServerRequestDuration");
      assertThat(durations.values())
          .singleElement()
          .satisfies(
              row -> {
                CompositeData data = (CompositeData) row;
                assertThat(data.get("http.request.method")).isEqualTo("GET");
                assertThat(data.get("http.route")).isEqualTo("");
                assertThat(data.get("http.response.status_code")).isEqualTo("200");
                assertThat(data.get("count")).isEqualTo(1L);
                assertThat(((CompositeData) data.get("buckets")).get("+Inf")).isEqualTo(1L);
              });
      var attributes = connection.getMBeanInfo(name("read")).getAttributes();
      assertThat(attributes).hasSize(Metric.values().length);
      for (var attribute : attributes) {
        Object value = connection.getAttribute(name("read"), attribute.getName());
        assertThat(((OpenMBeanAttributeInfo) attribute).isValue(value)).isTrue();
        assertThat(((TabularData) value).isEmpty()).as(attribute.getName()).isFalse();
      }
    } finally {
      remote.stop();
    }
  }

  /** Returns true once the last histogram has the request. */
  private boolean isCounted() {
    return metrics.snapshot().histograms().stream()
        .anyMatch(
            histogram ->
                histogram.metric() == Metric.HTTP_SERVER_RESPONSE_BODY_SIZE
                    && histogram.count() == 1);
  }

  @Test
  void isRegisteredUntilTheServerCloses() throws Exception {
    assertThatThrownBy(metrics::registerMBean).isInstanceOf(IllegalStateException.class);
    HttpServer server = serve("a,b");
    assertThat(isRegistered("\"a,b\"")).isFalse();

    metrics.registerMBean();
    assertThat(isRegistered("\"a,b\"")).isTrue();
    metrics.unregisterMBean();
    assertThat(isRegistered("\"a,b\"")).isFalse();
    metrics.registerMBean();
    metrics.registerMBean();
    server.close();

    assertThat(isRegistered("\"a,b\"")).isFalse();
    assertThatThrownBy(metrics::registerMBean).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void leavesTheNameToTheFirstServer() throws Exception {
    serve("twice");
    metrics.registerMBean();
    ServerMetrics second = new ServerMetrics();
    HttpServer server =
        servers.start(
            (request, response) -> response.send(),
            options -> options.name("twice").serverListener(second));

    assertThatThrownBy(second::registerMBean)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("twice");
    server.close();
    assertThat(isRegistered("twice")).isTrue();
  }
}
