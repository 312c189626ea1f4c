package dev.peregrine.server.tls.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.Certificates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TlsProfilesTest {
  private static final List<TlsCredential> CREDENTIALS =
      List.of(Certificates.create("a"), Certificates.create("b"), Certificates.create("c"));
  private static final ClientPolicy OPTIONAL =
      new ClientPolicy(ClientAuthentication.OPTIONAL, CREDENTIALS.getFirst().chain());
  private static final ClientPolicy REQUIRED =
      new ClientPolicy(ClientAuthentication.REQUIRED, CREDENTIALS.getFirst().chain());
  private static final List<ClientPolicy> POLICIES = List.of(ClientPolicy.NONE, OPTIONAL, REQUIRED);

  private static @Nullable TlsProfile find(TlsProfiles profiles, @Nullable String name) {
    int index = profiles.choose(name);
    return index == TlsProfiles.NONE ? null : profiles.list().get(index);
  }

  @Test
  void hasOneProfileWithoutNames() {
    TlsProfiles profiles =
        TlsProfiles.of(
            CREDENTIALS, new HostTable<>(Map.of(), 0), new HostTable<>(Map.of(), REQUIRED));

    assertThat(profiles.list()).containsExactly(new TlsProfile(CREDENTIALS.getFirst(), REQUIRED));
    assertThat(profiles.choose(null)).isZero();
    assertThat(profiles.choose("a.example")).isZero();
    assertThat(profiles.clients("a.example")).isEqualTo(REQUIRED);
    assertThat(profiles.restrictNames()).isFalse();
  }

  @Test
  void prefersNamesToPatternsAndLongPatternsToShortOnes() {
    HostTable<String> table =
        new HostTable<>(
            Map.of("*.example", "short", "*.a.example", "long", "b.a.example", "exact"), "none");

    assertThat(table.find("b.a.example")).isEqualTo("exact");
    assertThat(table.find("c.a.example")).isEqualTo("long");
    assertThat(table.find("d.c.a.example")).isEqualTo("long");
    assertThat(table.find("a.example")).isEqualTo("short");
    assertThat(table.find("example")).isEqualTo("none");
    assertThat(table.find(".example")).isEqualTo("none");
    assertThat(table.find("bexample")).isEqualTo("none");
    assertThat(table.find(null)).isEqualTo("none");
  }

  @Test
  void hasOnlyPairsThatANameCanHave() {
    TlsProfiles profiles =
        TlsProfiles.of(
            CREDENTIALS,
            new HostTable<>(Map.of("*.b", 1, "c", 2), 0),
            new HostTable<>(Map.of("x.b", REQUIRED), ClientPolicy.NONE));

    assertThat(profiles.list())
        .containsExactlyInAnyOrder(
            new TlsProfile(CREDENTIALS.get(0), ClientPolicy.NONE),
            new TlsProfile(CREDENTIALS.get(1), ClientPolicy.NONE),
            new TlsProfile(CREDENTIALS.get(1), REQUIRED),
            new TlsProfile(CREDENTIALS.get(2), ClientPolicy.NONE));
    assertThat(profiles.restrictNames()).isTrue();
  }

  /** The combined choice is that of both tables, for all names over a small alphabet. */
  @Test
  void choosesAsBothTablesDo() {
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      Map<String, Integer> certificates = new HashMap<>();
      Map<String, ClientPolicy> policies = new HashMap<>();
      for (int j = 0; j < 4; j++) {
        certificates.put(pattern(random), random.nextInt(3));
        policies.put(pattern(random), POLICIES.get(random.nextInt(3)));
      }
      HostTable<Integer> names =
          new HostTable<>(certificates, random.nextBoolean() ? TlsProfiles.NONE : 0);
      HostTable<ClientPolicy> clients = new HostTable<>(policies, POLICIES.get(random.nextInt(3)));
      TlsProfiles profiles = TlsProfiles.of(CREDENTIALS, names, clients);
      for (int j = 0; j < 100; j++) {
        String name = name(random);
        int credential = names.find(name);
        TlsProfile expected =
            credential == TlsProfiles.NONE
                ? null
                : new TlsProfile(CREDENTIALS.get(credential), clients.find(name));
        assertThat(find(profiles, name)).isEqualTo(expected);
        assertThat(profiles.clients(name)).isEqualTo(clients.find(name));
      }
    }
  }

  private static String pattern(Random random) {
    return (random.nextBoolean() ? "*." : "") + name(random);
  }

  private static String name(Random random) {
    StringBuilder name = new StringBuilder(random.nextBoolean() ? "a" : "b");
    for (int i = random.nextInt(3); i > 0; i--) {
      name.append(random.nextBoolean() ? ".a" : ".b");
    }
    return name.toString();
  }
}
