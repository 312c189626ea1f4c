package dev.peregrine.tidy;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.PrimitiveTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.lang.model.element.Modifier;
import javax.lang.model.type.TypeKind;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Counts in Java sources what the rules limit; the compiler only parses the sources. */
final class Sources {
  /** The type that may create loggers. */
  static final String LOGGER_HOME = "Log";

  private static final List<String> CLAUSE_BEGINNINGS = List.of("What ", "Who ");

  private final Map<Rule, Map<String, Integer>> counts = new TreeMap<>();
  private final List<Piece> pieces = new ArrayList<>();

  /**
   * A top-level class.
   *
   * @param above the simple name of the superclass; empty without one
   * @param firsts the types of the first parameters of all its methods, if all are static
   */
  private record Piece(String folder, String name, int lines, String above, List<String> firsts) {
    boolean isHelperOf(String type) {
      return firsts.stream().filter(type::equals).count() * 2 > firsts.size();
    }
  }

  private Sources() {}

  /** Parses sources, and counts. */
  static Sources parse(Collection<? extends JavaFileObject> files) {
    Sources sources = new Sources();
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, problem -> {}, List.of("-proc:none"), null, files);
    DocTrees trees = DocTrees.instance(task);
    try {
      for (CompilationUnitTree unit : task.parse()) {
        sources.new Scan(trees, unit).scan(unit, null);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    sources.pieces.forEach(
        piece -> sources.most(Rule.CLASS_LINES, piece.name(), sources.sum(piece)));
    return sources;
  }

  /** Returns the lines of a class with those of its superclasses and of its static helpers. */
  private int sum(Piece type) {
    int lines = 0;
    for (Piece one : pieces) {
      boolean helps = one.isHelperOf(type.name()) && one.folder().equals(type.folder());
      lines += helps ? one.lines() : 0;
    }
    Piece next = type;
    while (next != null) {
      lines += next.lines();
      next = superclass(next);
    }
    return lines;
  }

  private @Nullable Piece superclass(Piece type) {
    for (Piece one : pieces) {
      if (one.name().equals(type.above()) && one.folder().equals(type.folder())) {
        return one;
      }
    }
    return null;
  }

  /** Returns the subjects that are above the rule's limit, with their counts. */
  Map<String, Integer> offenders(Rule rule) {
    Map<String, Integer> found = new TreeMap<>(counts.getOrDefault(rule, Map.of()));
    found.values().removeIf(count -> count <= rule.most);
    return found;
  }

  private void add(Rule rule, String subject, int count) {
    counts.computeIfAbsent(rule, absent -> new TreeMap<>()).merge(subject, count, Integer::sum);
  }

  /** The largest of the counts that a subject has, as overloaded methods have several. */
  private void most(Rule rule, String subject, int count) {
    counts.computeIfAbsent(rule, absent -> new TreeMap<>()).merge(subject, count, Math::max);
  }

  /** The walk through one file. */
  private final class Scan extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final DocTrees trees;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final Deque<String> types = new ArrayDeque<>();

    Scan(DocTrees trees, CompilationUnitTree unit) {
      this.trees = trees;
      this.unit = unit;
      this.positions = trees.getSourcePositions();
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void none) {
      String name = type.getSimpleName().toString();
      if (types.isEmpty()) {
        add(Rule.TYPES_OF_ONE_NAME, name, 1);
        most(Rule.FILE_LINES, name, fileLines());
        pieces.add(piece(type, name));
      }
      types.addLast(name.isEmpty() ? "anonymous" : name);
      checkSummary();
      super.visitClass(type, null);
      types.removeLast();
      return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void none) {
      String subject = String.join(".", types) + "." + method.getName();
      most(Rule.METHOD_LINES, subject, lines(method));
      if (!isOfRecord(method)) {
        most(Rule.PARAMETERS, subject, method.getParameters().size());
      }
      checkSummary();
      return super.visitMethod(method, null);
    }

    @Override
    public @Nullable Void visitVariable(VariableTree variable, @Nullable Void none) {
      checkSummary();
      if (variable.getName().contentEquals("ignored") && isBoolean(variable.getType())) {
        add(Rule.IGNORED_RESULTS, types.getFirst(), 1);
      }
      return super.visitVariable(variable, null);
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree call, @Nullable Void none) {
      String home = types.getFirst();
      if (call.getMethodSelect().toString().endsWith("getLogger") && !home.equals(LOGGER_HOME)) {
        add(Rule.LOGGERS, home, 1);
      }
      return super.visitMethodInvocation(call, null);
    }

    private Piece piece(ClassTree type, String name) {
      Tree above = type.getExtendsClause();
      List<String> firsts = new ArrayList<>();
      for (Tree member : type.getMembers()) {
        if (member instanceof MethodTree method && !isPrivate(method)) {
          if (!method.getModifiers().getFlags().contains(Modifier.STATIC)) {
            firsts.clear();
            break;
          }
          firsts.add(
              method.getParameters().isEmpty()
                  ? ""
                  : method.getParameters().getFirst().getType().toString());
        }
      }
      String file = unit.getSourceFile().toUri().getPath();
      return new Piece(
          file.substring(0, file.lastIndexOf('/')),
          name,
          fileLines(),
          above == null ? "" : above.toString().replaceFirst("<.*", ""),
          firsts);
    }

    private static boolean isBoolean(@Nullable Tree type) {
      return type instanceof PrimitiveTypeTree simple
          && simple.getPrimitiveTypeKind() == TypeKind.BOOLEAN;
    }

    private static boolean isPrivate(MethodTree method) {
      return method.getModifiers().getFlags().contains(Modifier.PRIVATE);
    }

    private boolean isOfRecord(MethodTree method) {
      return method.getReturnType() == null
          && getCurrentPath().getParentPath().getLeaf().getKind() == Tree.Kind.RECORD;
    }

    private void checkSummary() {
      DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
      if (comment != null) {
        String summary = comment.getFirstSentence().toString();
        if (CLAUSE_BEGINNINGS.stream().anyMatch(summary::startsWith)) {
          add(Rule.CLAUSES_AS_SUMMARY, types.getFirst(), 1);
        }
      }
    }

    private int lines(Tree tree) {
      long first = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
      long last = unit.getLineMap().getLineNumber(positions.getEndPosition(unit, tree));
      return (int) (last - first + 1);
    }

    private int fileLines() {
      try {
        return (int)
            unit.getSourceFile()
                .getCharContent(true)
                .toString()
                .lines()
                .filter(line -> !line.startsWith("import "))
                .count();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }
}
