package dev.peregrine.jdk.httpserver.users;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jolokia's agent, which publishes the MBeans of a program by HTTP. */
@Timeout(120)
class JolokiaIT {
  private static final Pattern STARTED =
      Pattern.compile(
          "^Jolokia: Agent .* started with URL https?://127\\.0\\.0\\.1:(\\d+)/jolokia");

  private static ChildJvm start(String options) throws IOException {
    return ChildJvm.start(
        ChildJvm.agent(
            "jolokia-agent-jvm-.*-javaagent\\.jar",
            "port=0,host=127.0.0.1,discoveryEnabled=false" + options),
        Bell.class.getName());
  }

  private static int port(ChildJvm program) throws IOException, InterruptedException {
    int port = program.awaitPort(STARTED);
    Provider.requirePeregrine(port);
    return port;
  }

  @Test
  void readsAttributes() throws Exception {
    try (ChildJvm program = start("")) {
      int port = port(program);
      try (Client client = Client.http(port)) {
        HttpResponse<String> heap =
            client.get("/jolokia/read/java.lang:type=Memory/HeapMemoryUsage");
        HttpResponse<String> both =
            client.post(
                "/jolokia",
                "application/json",
                """
                [{"type": "read", "mbean": "users:type=Bell", "attribute": "Name"},
                 {"type": "read", "mbean": "users:type=Bell", "attribute": "None"}]
                """);

        assertThat(heap.statusCode()).isEqualTo(200);
        assertThat(heap.body()).contains("\"status\":200", "\"used\":");
        assertThat(heap.headers().allValues("Date")).hasSize(1); // it sets its own one
        assertThat(both.body()).contains("\"value\":\"ä\"", "\"status\":200", "\"status\":404");
        assertThat(client.method("DELETE", "/jolokia").statusCode()).isEqualTo(400);
        assertThat(client.get("/jolokia/list").body())
            .contains("\"type=Bell\"")
            .hasSizeGreaterThan(50_000);
      }
    }
  }

  /** Its executor has one thread, which no idle connection may hold. */
  @Test
  void servesManyConnectionsWithOneThread() throws Exception {
    try (ChildJvm program = start(",executor=single")) {
      int port = port(program);
      List<Client> clients = new ArrayList<>();
      try {
        for (int i = 0; i < 8; i++) {
          clients.add(Client.http(port));
        }
        for (int round = 0; round < 2; round++) {
          for (Client client : clients) {
            assertThat(client.get("/jolokia/version").statusCode()).isEqualTo(200);
          }
        }
      } finally {
        clients.forEach(Client::close);
      }
    }
  }

  @Test
  void demandsAPassword() throws Exception {
    try (ChildJvm program = start(",user=me,password=secret")) {
      int port = port(program);
      try (Client client = Client.http(port)) {
        HttpResponse<String> without = client.get("/jolokia/version");
        assertThat(without.statusCode()).isEqualTo(401);
        assertThat(without.headers().firstValue("WWW-Authenticate").orElse(""))
            .startsWith("Basic realm=\"jolokia\"");
        for (String password : new String[] {"secret", "wrong"}) {
          String credentials = Client.basic("me", password);
          assertThat(client.get("/jolokia/version", "Authorization", credentials).statusCode())
              .isEqualTo(password.equals("secret") ? 200 : 401);
        }
        assertThat(client.get("/jolokia/config").statusCode()).isNotEqualTo(401);
      }
    }
  }

  @Test
  void servesTls() throws Exception {
    try (ChildJvm program = start(",protocol=https")) {
      int port = program.awaitPort(STARTED);
      Provider.requirePeregrine(port, Client.trustingAll().getSocketFactory());
      try (Client client = Client.https(port)) {
        HttpResponse<String> version = client.get("/jolokia/version");

        assertThat(version.statusCode()).isEqualTo(200);
        assertThat(version.body()).contains("\"protocol\":");
        assertThat(version.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
      }
    }
  }

  /** Its handler returns, and other threads send events. */
  @Test
  void sendsNotificationsWhenTheyHappen() throws Exception {
    try (ChildJvm program = start("")) {
      int port = port(program);
      try (Client client = Client.http(port)) {
        String registered = client.get("/jolokia/notification/register").body();
        Matcher id = Pattern.compile("\"id\":\"([^\"]+)\"").matcher(registered);
        assertThat(id.find()).as(registered).isTrue();
        String open = "/jolokia/notification/open/" + id.group(1) + "/sse";
        CompletableFuture<HttpResponse<InputStream>> events =
            client.sendLater(client.request(open), BodyHandlers.ofInputStream());
        client.get("/jolokia/notification/add/" + id.group(1) + "/sse/users:type=Bell");
        int rung = 0;
        do { // until the channel is open
          client.get("/jolokia/exec/users:type=Bell/ring");
          rung++;
        } while (!events.isDone());
        client.get("/jolokia/exec/users:type=Bell/ring");
        rung++;
        try (BufferedReader lines =
            new BufferedReader(new InputStreamReader(events.join().body(), UTF_8))) {
          expectEvent(lines, rung);
          client.get("/jolokia/notification/unregister/" + id.group(1));
          assertThat(lines.readLine()).isNull();
        }
      }
    }
  }

  private static void expectEvent(BufferedReader lines, int id) throws IOException {
    String line;
    do {
      line = lines.readLine();
      assertThat(line).isNotNull();
    } while (!line.equals("id: " + id));
    assertThat(lines.readLine()).startsWith("data: {").contains("dong");
    assertThat(lines.readLine()).isEmpty();
  }

  /** It starts the server in a daemon thread, so all threads of the server are daemons. */
  @Test
  void doesNotKeepAProgramAlive() throws Exception {
    try (ChildJvm program = start("")) {
      int port = port(program);
      try (Client client = Client.http(port)) {
        assertThat(client.get("/jolokia/version").statusCode()).isEqualTo(200);
        long begun = System.nanoTime();
        program.endInput();
        program.awaitEnd();
        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(30));
      }
    }
  }

  /** What the management interface of the program looks like. */
  public interface BellMBean {
    String getName();

    void ring();
  }

  /** A program with an MBean, which runs until its input ends. */
  public static final class Bell extends NotificationBroadcasterSupport implements BellMBean {
    private long rung;

    private Bell() {}

    @Override
    public String getName() {
      return "ä";
    }

    @Override
    public void ring() {
      sendNotification(new Notification("bell", this, ++rung, "dong"));
    }

    public static void main(String[] args) throws JMException, IOException {
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new Bell(), new ObjectName("users:type=Bell"));
      System.in.readAllBytes();
    }
  }
}
