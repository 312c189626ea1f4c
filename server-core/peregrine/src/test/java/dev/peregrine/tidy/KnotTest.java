package dev.peregrine.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.peregrine.testing.OwnCode;
import java.io.IOException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The classes of a package that reach each other, as the compiler has linked them; a nested class
 * is a part of the outermost one. Larger circles than the limit are in baseline.txt, each by the
 * package and its rank there.
 */
final class KnotTest {
  private static final String RULE = "circle";
  private static final int MOST = 3;
  private static final String OWN = "dev/peregrine/";
  private static final Pattern IN_DESCRIPTOR = Pattern.compile("L(dev/peregrine/[\\w/$]+)[;<]");

  private static final Map<String, Map<String, Set<String>>> GRAPHS = new TreeMap<>();
  private static final Map<String, Set<String>> LARGE = new TreeMap<>();

  @BeforeAll
  static void link() throws IOException {
    OwnCode.classes().forEach(KnotTest::add);
    GRAPHS.forEach(
        (name, graph) -> {
          int rank = 0;
          for (Set<String> circle : Circles.of(graph)) {
            if (circle.size() > MOST) {
              rank++;
              LARGE.put(name.replace('/', '.') + ":" + rank, circle);
            }
          }
        });
  }

  @Test
  void tiesNoMoreClassesThanTheLimitOrTheBaseline() {
    Map<String, Integer> listed = Baseline.read().of(RULE);
    List<String> larger = new ArrayList<>();
    LARGE.forEach(
        (name, circle) -> {
          if (circle.size() > listed.getOrDefault(name, 0)) {
            larger.add(RULE + " " + name + " " + circle.size() + ": " + circle);
          }
        });

    assertThat(larger).as("circles above %d classes, or above baseline.txt", MOST).isEmpty();
  }

  @Test
  void listsNoCircleThatHasShrunk() {
    List<String> shrunk = new ArrayList<>();
    Baseline.read()
        .of(RULE)
        .forEach(
            (name, listed) -> {
              int count = LARGE.getOrDefault(name, Set.of()).size();
              if (count < listed) {
                shrunk.add(RULE + " " + name + " " + count);
              }
            });

    assertThat(shrunk).as("smaller than baseline.txt has it: take the new count").isEmpty();
  }

  @Test
  void findsTheCirclesOfAGraph() {
    Map<String, Set<String>> graph =
        Map.of(
            "a", Set.of("b", "f"),
            "b", Set.of("c"),
            "c", Set.of("a", "d"),
            "d", Set.of("e"),
            "e", Set.of("d"),
            "f", Set.of());

    assertThat(Circles.of(graph)).containsExactly(Set.of("a", "b", "c"), Set.of("d", "e"));
  }

  private static void add(ClassModel type) {
    String name = outermost(type.thisClass().asInternalName());
    Set<String> uses =
        GRAPHS
            .computeIfAbsent(packageOf(name), absent -> new TreeMap<>())
            .computeIfAbsent(name, absent -> new TreeSet<>());
    for (PoolEntry entry : type.constantPool()) {
      if (entry instanceof ClassEntry used) {
        add(name, used.asInternalName(), uses);
      } else if (entry instanceof Utf8Entry text) {
        Matcher used = IN_DESCRIPTOR.matcher(text.stringValue());
        while (used.find()) {
          add(name, used.group(1), uses);
        }
      }
    }
  }

  private static void add(String from, String used, Set<String> uses) {
    String to = outermost(used);
    if (to.startsWith(OWN) && !to.equals(from) && packageOf(to).equals(packageOf(from))) {
      uses.add(to);
    }
  }

  private static String outermost(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private static String packageOf(String name) {
    int end = name.lastIndexOf('/');
    return end < 0 ? "" : name.substring(0, end);
  }
}
